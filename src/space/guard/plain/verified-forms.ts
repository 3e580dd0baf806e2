import type { DataQuery } from '../../../schema/data-query.ts';
import type { Phrase, Phrases } from './phrases.ts';
import type { Piece } from './pieces.ts';
import { plainNumber, plainWords } from './plain-words.ts';
import { sequence } from './rules.ts';

/** A place of a verified question that other words may take, and the place of the query that they fill. */
type Slot =
  | { is: 'value'; dimension: string; filter: number; value: number }
  | { is: 'bound'; list: 'numbers' | 'having'; at: number; isMoney: boolean }
  | { is: 'period' };

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
  for (const [filter, { dimension, values }] of query.filters.entries())
    for (const [value, text] of values.entries()) put(text, { is: 'value', dimension, filter, value });
  const period = query.compare ? undefined : query.period?.words;
  // "Since May" stays as it is worded.
  if (period !== undefined && !/^(?:since|between|from|after|before|until)\b/i.test(period))
    put(period.replace(/^(?:in|for|during|of|on) /i, ''), { is: 'period' });
  for (const list of ['numbers', 'having'] as const)
    for (const [at, { value }] of query[list].entries()) {
      // A limit may have the same number, so that the last one is the bound.
      const place = words.findLastIndex((word) => typeof word === 'string' && plainNumber(word)?.value === value);
      const word = words[place];
      if (typeof word === 'string')
        words[place] = { is: 'bound', list, at, isMoney: plainNumber(word)?.isMoney === true };
    }
  return { words, query };
}

/** The phrase that a form reads. Its pieces are those of the places, in order. */
export function readForm({ words }: VerifiedForm, { say, value, bound, period }: Phrases): Phrase {
  const places = { value, bound, period };
  return sequence(...words.map((word): Phrase => (typeof word === 'string' ? say(word) : places[word.is])));
}

/** The verified query with other values in its places; undefined if one of them does not belong there. */
export function fillForm({ words, query }: VerifiedForm, pieces: readonly Piece[]): DataQuery | undefined {
  const slots = words.filter((word): word is Slot => typeof word !== 'string');
  const filled = structuredClone(query);
  return slots.every((slot, index) => fillSlot(filled, slot, pieces[index])) ? filled : undefined;
}

/** Puts what was said into the place of the query. False if it does not fit there. */
function fillSlot(query: DataQuery, slot: Slot, piece: Piece | undefined): boolean {
  if (slot.is === 'period') {
    if (piece?.is === 'period') query.period = { ...piece.days, words: '' };
    return piece?.is === 'period';
  }
  if (slot.is === 'bound') {
    const bound = query[slot.list][slot.at];
    if (!bound || piece?.is !== 'bound' || piece.isMoney !== slot.isMoney) return false;
    bound.value = piece.value;
    return true;
  }
  const senses = piece?.is === 'value' ? piece.senses : [];
  const said = new Set(senses.filter(({ dimension }) => dimension === slot.dimension).map(({ value }) => value));
  const [value] = said;
  const values = query.filters[slot.filter]?.values;
  if (!values || value === undefined || said.size > 1) return false;
  values[slot.value] = value;
  return true;
}
