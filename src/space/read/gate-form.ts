import type { DataQuery } from '../../schema/data-query.ts';
import type { Names } from './gate-names.ts';
import { plainPeriod, plainWords, pluralOf } from './gate-words.ts';

/** A place of a verified question that other words may take. */
type Slot =
  | { is: 'measure'; at: number; noun: string | undefined }
  | { is: 'dimension'; at: number; isPlural: boolean }
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
  // The figure of a condition, of a share or of missing rows means more than its name.
  const isPlain = query.having.length + query.numbers.length === 0 && query.share === 'none' && !query.without;
  if (!isPlain) return form;
  for (const [at, { name }] of query.measures.entries()) {
    const noun = /^number of (.+)$/.exec(name)?.[1];
    put(noun ?? name, { is: 'measure', at, noun });
  }
  for (const [at, name] of query.dimensions.entries()) {
    put(pluralOf(name), { is: 'dimension', at, isPlural: true });
    put(name, { is: 'dimension', at, isPlural: false });
  }
  return form;
}

export interface FormContext {
  names: Names;
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
    default:
      return phrases(words).flatMap(({ phrase, length }) => {
        const next = fill(query, first, phrase, context);
        return next ? go(length, next) : [];
      });
  }
}

const MAX_WORDS = 6;

function phrases(words: readonly string[]): { phrase: string; length: number }[] {
  const most = Math.min(MAX_WORDS, words.length);
  return Array.from({ length: most }, (_, at) => ({ phrase: words.slice(0, at + 1).join(' '), length: at + 1 }));
}

/** The query with the named thing in its place; undefined if the words name no such thing. */
function fill(
  query: DataQuery,
  slot: Extract<Slot, { is: 'measure' | 'dimension' | 'value' }>,
  phrase: string,
  { names, text }: FormContext,
): DataQuery | undefined {
  if (slot.is === 'value') {
    const value = names.valueOf(phrase, slot.dimension);
    if (value === undefined || !text.includes(value)) return undefined;
    const put = (values: readonly string[]) => values.map((one, at) => (at === slot.at ? value : one));
    const filters = query.filters.map((one, at) => (at === slot.filter ? { ...one, values: put(one.values) } : one));
    return { ...query, filters };
  }
  if (slot.is === 'dimension') {
    const found = names.find(phrase, 'dimension');
    if (!found || found.isPlural !== slot.isPlural) return undefined;
    const dimensions = query.dimensions.map((one, at) => (at === slot.at ? found.name : one));
    const within = query.limit_within === query.dimensions[slot.at] ? found.name : query.limit_within;
    return { ...query, dimensions, limit_within: within };
  }
  const found = slot.noun === undefined ? names.find(phrase, 'measure') : names.find(phrase, 'table');
  const name = slot.noun === undefined ? found?.name : found?.isPlural ? found.count : undefined;
  if (name === undefined) return undefined;
  const old = query.measures[slot.at]?.name;
  const measures = query.measures.map((one, at) => (at === slot.at ? { ...one, name } : one));
  return {
    ...query,
    measures,
    order: query.order?.by === old && query.order ? { ...query.order, by: name } : query.order,
  };
}
