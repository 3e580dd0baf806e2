import type { DataQuery } from '../../../schema/data-query.ts';
import type { Phrase, Phrases } from './phrases.ts';
import type { Piece } from './pieces.ts';
import { plainNumber, plainWords } from './plain-words.ts';
import { sequence } from './rules.ts';

/** A place of a verified question that other words may take: a value of the same dimension, a number, a period. */
type Slot = { is: 'value'; dimension: string; value: string } | { is: 'number'; value: number } | { is: 'period' };

/** A verified question of a space file as a form: its own words, and the places where other values may stand. */
export interface VerifiedForm {
  words: readonly (string | Slot)[];
  query: DataQuery;
}

export function toForm(ask: string, query: DataQuery): VerifiedForm {
  const words: (string | Slot)[] = plainWords(ask);
  const put = (text: string, slot: Slot) => {
    const own = plainWords(text);
    const at = words.findIndex((_, start) => own.every((word, index) => words[start + index] === word));
    if (own.length > 0 && at >= 0) words.splice(at, own.length, slot);
  };
  for (const { dimension, values } of query.filters)
    for (const value of values) put(value, { is: 'value', dimension, value });
  if (query.period && !query.compare)
    put(query.period.words.replace(/^(?:in|for|during|of|on) /i, ''), { is: 'period' });
  const numbers = [...query.numbers, ...query.having].map(({ value }) => value);
  const slots = words.map((word): string | Slot => {
    const value = typeof word === 'string' ? plainNumber(word) : undefined;
    return value !== undefined && numbers.includes(value) ? { is: 'number', value } : word;
  });
  return { words: slots, query };
}

/** The phrase that a form reads. Its pieces are those of the places, in order. */
export function readForm({ words }: VerifiedForm, { say, value, number, period }: Phrases): Phrase {
  return sequence(
    ...words.map((word): Phrase => {
      if (typeof word === 'string') return say(word);
      if (word.is === 'value') return value;
      return word.is === 'period' ? period : number((count) => ({ is: 'bound', value: count }));
    }),
  );
}

/** The verified query with other values in its places; undefined if one of them does not belong there. */
export function fillForm({ words, query }: VerifiedForm, pieces: readonly Piece[]): DataQuery | undefined {
  const slots = words.filter((word): word is Slot => typeof word !== 'string');
  let filled: DataQuery | undefined = query;
  for (const [index, slot] of slots.entries()) filled = filled && fillSlot(filled, slot, pieces[index]);
  return filled;
}

function fillSlot(query: DataQuery, slot: Slot, piece: Piece | undefined): DataQuery | undefined {
  if (slot.is === 'period')
    return piece?.is === 'period' ? { ...query, period: { ...piece.days, words: '' } } : undefined;
  if (slot.is === 'number') return piece?.is === 'bound' ? withNumber(query, slot.value, piece.value) : undefined;
  const said = piece?.is === 'value' ? piece.senses.find(({ dimension }) => dimension === slot.dimension) : undefined;
  return said && withValue(query, slot, said.value);
}

function withNumber(query: DataQuery, from: number, to: number): DataQuery {
  const change = <T extends { value: number }>(one: T) => (one.value === from ? { ...one, value: to } : one);
  return { ...query, numbers: query.numbers.map(change), having: query.having.map(change) };
}

function withValue(
  query: DataQuery,
  { dimension, value }: { dimension: string; value: string },
  to: string,
): DataQuery {
  return {
    ...query,
    filters: query.filters.map((filter) =>
      filter.dimension === dimension
        ? { ...filter, values: filter.values.map((one) => (one === value ? to : one)) }
        : filter,
    ),
  };
}
