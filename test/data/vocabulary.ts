import { columnsOf, homeOf } from './joins.ts';
import type { Dimension, Measure, Model, Table } from './shop.ts';

/** Periods inside the data, whose newest day is 2025-10-31. */
export const PERIODS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'].map(
    (name, at) => ({ words: `in ${name} 2025`, ...monthOf(2025, at) }),
  ),
  { words: 'in December 2024', ...monthOf(2024, 11) },
  { words: 'in Q1 2025', from: '2025-01-01', to: '2025-03-31' },
  { words: 'in Q2 2025', from: '2025-04-01', to: '2025-06-30' },
  { words: 'in Q3 2025', from: '2025-07-01', to: '2025-09-30' },
  { words: 'in the second quarter of 2025', from: '2025-04-01', to: '2025-06-30' },
  { words: 'last month', ...monthOf(2025, 8) },
  { words: 'last quarter', from: '2025-07-01', to: '2025-09-30' },
  { words: 'this year', from: '2025-01-01', to: '2025-10-31' },
  { words: 'this month', ...monthOf(2025, 9) },
  { words: 'since June 2025', from: '2025-06-01', to: '2025-10-31' },
  { words: 'since 1 August 2025', from: '2025-08-01', to: '2025-10-31' },
  { words: 'between March and May 2025', from: '2025-03-01', to: '2025-05-31' },
  { words: 'from 15 March 2025 to 15 April 2025', from: '2025-03-15', to: '2025-04-15' },
] as const satisfies { words: string; from: string; to: string }[];

function monthOf(year: number, month: number) {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { from: day(Date.UTC(year, month, 1)), to: day(Date.UTC(year, month + 1, 0)) };
}

export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

export interface SpokenMeasure {
  measure: Measure;
  words: string;
}

/** Each measure by its own name and by its other full names, except nouns of one thing, such as visit. */
export function spokenMeasures(model: Model): SpokenMeasure[] {
  return [...model.measures.values()].flatMap((measure) => {
    const others = measure.names.filter(
      (name) => !measure.name.endsWith(plural(name)) && !(measure.how === 'sum' && name.startsWith('average')),
    );
    const isCountNoun = measure.how === 'count' || ['visits', 'views', 'clicks'].includes(measure.unit);
    const words = isCountNoun ? [measure.name] : [...new Set([measure.name, ...others])];
    return words.map((one) => ({ measure, words: one }));
  });
}

/** The figure of one row, as in "average rating": names without the word average. */
export function averagesOf(model: Model): SpokenMeasure[] {
  return [...model.measures.values()]
    .filter(({ how, expressions }) => how === 'average' && /^\w+\.\w+$/.test(expressions[0] ?? ''))
    .map((measure) => ({ measure, words: measure.name.replace(/^average /, '') }));
}

/** Tables whose rows have a noun. */
export function countedTables(model: Model): Table[] {
  return [...model.tables.values()].filter(({ names }) => names.length > 0);
}

/** The dimensions and entities that each row of a table has exactly one value of. */
export function dimensionsOf(model: Model, base: string): { name: string }[] {
  const entities = [...model.tables.values()].flatMap(({ label, names, name }) =>
    label !== undefined && name !== base ? [names[0] ?? name] : [],
  );
  const names = [...model.dimensions.keys(), ...entities];
  return names.filter((name) => homeOf(model, base, name) !== undefined).map((name) => ({ name }));
}

export interface Value {
  dimension: string;
  value: string;
  /** False if the value needs the name of its dimension beside it to be clear. */
  isClear: boolean;
}

const known = new Map<string, Value[]>();

/** The values that can be named for rows of this table. */
export function valuesOf(model: Model, base: string): Value[] {
  const name = `${model.space} ${base}`;
  const values = known.get(name) ?? listValues(model, base);
  known.set(name, values);
  return values;
}

/** Customers are left out: their names are invented and hardly anyone asks for one. */
function listValues(model: Model, base: string): Value[] {
  const dimensions = dimensionsOf(model, base).filter(({ name }) => name !== 'customer');
  const all = dimensions.flatMap(({ name }) => {
    const [table = '', column = ''] = (homeOf(model, base, name) ?? columnsOf(model, name)[0] ?? '').split('.');
    const cells = new Set(model.tables.get(table)?.rows.map((row) => row[column]));
    const values = [...cells].flatMap((cell) => (cell === null || cell === undefined ? [] : [String(cell)]));
    return values.map((value) => ({ dimension: name, value }));
  });
  const words = wordsOf(model);
  const times = Map.groupBy(all, ({ value }) => value.toLowerCase());
  return all.map((one) => {
    const isOnlyOne = times.get(one.value.toLowerCase())?.length === 1;
    return { ...one, isClear: isOnlyOne && !words.has(one.value.toLowerCase()) };
  });
}

/** Words that mean something else in questions. */
const FUNCTION_WORDS = ['top', 'tops', 'new', 'price', 'returns', 'service', 'style', 'color', 'quality', 'male'];

function wordsOf(model: Model): Set<string> {
  const names = [
    ...[...model.tables.values()].flatMap((table) => table.names),
    ...[...model.measures.values()].flatMap((measure) => [measure.name, ...measure.names]),
    ...[...model.dimensions.values()].map((dimension: Dimension) => dimension.name),
  ];
  return new Set([...names.flatMap((name) => [name, plural(name)]), ...FUNCTION_WORDS]);
}

/** A value as people name it: "the West", "Footwear", "category Tops". */
export function phraseOf({ dimension, value, isClear }: Value): string {
  if (!isClear) return `${dimension} ${value}`;
  return dimension === 'region' ? `the ${value}` : value;
}
