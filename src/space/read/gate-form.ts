import type { DataQuery } from '../../schema/data-query.ts';
import { plainPeriod, plainWords } from './gate-words.ts';

/** A place of a verified question that other words may take. */
type Slot =
  | { is: 'value'; filter: number; at: number; dimension: string }
  | { is: 'bound'; list: 'numbers' | 'having'; at: number }
  | { is: 'period' | 'limit' };
export type Form = readonly (string | Slot)[];

/** The question as its words and places. */
export function formOf(ask: string, query: DataQuery): Form {
  const form: (string | Slot)[] = plainWords(ask);
  const put = (text: string, slot: Slot) => {
    const own = plainWords(text);
    const at = form.findIndex((_, start) => own.every((word, index) => form[start + index] === word));
    if (own.length > 0 && at >= 0) form.splice(at, own.length, slot);
  };
  for (const [filter, { dimension, values }] of query.filters.entries())
    for (const [at, value] of values.entries()) put(value, { is: 'value', filter, at, dimension });
  if (query.period && !query.compare) put(query.period.words, { is: 'period' });
  for (const list of ['numbers', 'having'] as const)
    for (const [at, { value }] of query[list].entries()) {
      const place = form.findLastIndex((word) => typeof word === 'string' && Number(word.replace('$', '')) === value);
      if (place >= 0) form[place] = { is: 'bound', list, at };
    }
  if (query.limit !== null) put(String(query.limit), { is: 'limit' });
  return form;
}

export interface FormContext {
  /** The values of each dimension. */
  values: ReadonlyMap<string, readonly string[]>;
  today: string;
  /** The question as it was written: names of values are written as in the data. */
  text: string;
}

/** Every query that the words can mean in this form. */
export function matchForm(words: readonly string[], form: Form, query: DataQuery, context: FormContext): DataQuery[] {
  const [first, ...rest] = form;
  if (first === undefined) return words.length === 0 ? [query] : [];
  const go = (length: number, next: DataQuery) => matchForm(words.slice(length), rest, next, context);
  if (typeof first === 'string') return words[0] === first ? go(1, query) : [];
  const number = Number(words[0]?.replace('$', ''));
  switch (first.is) {
    case 'period': {
      const found = plainPeriod(words, 0, context.today);
      return found ? go(found.end, { ...query, period: { ...found.days, words: '' } }) : [];
    }
    case 'limit':
      return Number.isInteger(number) && number > 0 ? go(1, { ...query, limit: number }) : [];
    case 'bound': {
      const list = query[first.list].map((one, at) => (at === first.at ? { ...one, value: number } : one));
      return Number.isNaN(number) ? [] : go(1, { ...query, [first.list]: list });
    }
    case 'value': {
      const named = (context.values.get(first.dimension) ?? []).filter((value) => context.text.includes(value));
      return named.flatMap((value) => {
        const own = plainWords(value);
        const isHere = own.every((word, at) => words[at] === word);
        return isHere ? go(own.length, withValue(query, first, value)) : [];
      });
    }
  }
}

function withValue(query: DataQuery, slot: Extract<Slot, { is: 'value' }>, value: string): DataQuery {
  const put = (values: readonly string[]) => values.map((one, at) => (at === slot.at ? value : one));
  const filters = query.filters.map((one, at) => (at === slot.filter ? { ...one, values: put(one.values) } : one));
  return { ...query, filters };
}
