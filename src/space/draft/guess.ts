import { isCurrency } from '../../schema/column-format.ts';
import { nounOf } from '../model/model.ts';
import { toPlural } from '../model/nouns.ts';
import type { ColumnProfile, TableProfile } from './profile-table.ts';

/** "OrderDate", "order_date" → "order date". */
export function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/_+/g, ' ')
    .trim()
    .toLowerCase();
}

/** "Order lines 2025.csv" → order_lines_2025, which can be the name of a table. */
export function tableName(file: string): string {
  const name = file
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');
  return name.slice(0, 40) || 'data';
}

export { nounOf, toPlural };

/** The column that identifies a row: unique, without gaps, and named like an id or first in the file. */
export function guessKey({ columns, rows, name }: TableProfile): string | undefined {
  const unique = columns.filter(({ distinct, missing, kind }) => {
    const isName = kind === 'text' || kind === 'number';
    return rows > 0 && distinct === rows && missing === 0 && isName;
  });
  const noun = nounOf(name).replaceAll(' ', '_');
  const ranks = [`${noun}_id`, 'id', noun, `${noun}_no`, `${noun}_number`, `${noun}_code`];
  const ranked = unique
    .map((column) => ({ column, rank: ranks.indexOf(column.name.toLowerCase()) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank);
  const named = ranked[0]?.column ?? unique.find(({ name: column }) => IS_ID.test(column));
  const first = unique.find((column) => column === columns[0] && (column.kind === 'text' || column.isWhole));
  return (named ?? first)?.name;
}

export const IS_ID = /(?:^|_)(?:id|no|nr|code|number|key|uuid)$/i;

/** The column with the name of a row, for tables that others refer to. */
export function guessLabel({ columns, rows, name }: TableProfile, key: string | undefined): string | undefined {
  const noun = nounOf(name).replaceAll(' ', '_');
  const texts = columns.filter(({ kind, distinct }) => kind === 'text' && distinct >= rows * 0.9);
  const wanted = [noun, `${noun}_name`, 'name', 'title', 'full_name'];
  const named = wanted.flatMap((one) => texts.find((column) => column.name.toLowerCase() === one) ?? [])[0];
  return (
    named ??
    texts.find((column) => /name|title/i.test(column.name)) ??
    texts.find((column) => column.name === key)
  )?.name;
}

const RATE =
  /price|hourly|\bper\b|rate|rating|score|average|avg|mean|age\b|percent|pct|ratio|temperature|temp\b|margin|level|grade|speed|weight|height|latitude|longitude|duration|stars/;
const MONEY =
  /amount|price|cost|revenue|sales|spend|spent|value|fee|salary|budget|income|profit|payment|paid|total|turnover|dollar|euro/;
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/percent|pct|share|ratio/, 'percent'],
  [/rating|stars/, 'stars'],
  [/days?\b/, 'days'],
  [/hours?\b/, 'hours'],
  [/minutes?\b/, 'minutes'],
  [/quantity|qty|units?|pieces|count/, 'units'],
  [/\bkm\b|kilomet/, 'km'],
  [/\bkg\b|kilogram|weight/, 'kg'],
];

/** A rate such as "fee per hour" is averaged; an amount is summed. */
export function guessAggregate({ name }: Pick<ColumnProfile, 'name'>): 'sum' | 'average' {
  return RATE.test(wordsOf(name)) ? 'average' : 'sum';
}

/** The name of a measure: "distance km" is the distance, in km. */
export function measureWords(name: string): string {
  return wordsOf(name)
    .replace(/(?<=\w )(?:in )?(?:km|kg|hours|minutes|percent|pct)$/, '')
    .replace(/(?<=\w )(?:in )?(\w{3})$/, (end, code) => (currencyIn(code) === undefined ? end : ''))
    .trim();
}

/** The unit by the words of the name. A percentage from 0 to 100 is no share, which goes from 0 to 1. */
export function guessUnit(column: Pick<ColumnProfile, 'name' | 'max'>, { columns }: TableProfile): string {
  const words = wordsOf(column.name);
  const unit = UNITS.find(([pattern]) => pattern.test(words.replace(/ per .*/, '')))?.[1];
  if (unit === 'percent') return typeof column.max === 'number' && column.max > 1 ? 'points' : unit;
  const currency = currencyIn(words);
  if (unit !== undefined || !(currency ?? MONEY.test(words))) return unit ?? 'units';
  return currency ?? columns.flatMap(onlyCurrency)[0] ?? 'money';
}

/** The currency at the end of a column's name: price_eur, amount_gbp. ALL and TOP are English words there. */
function currencyIn(words: string): string | undefined {
  const last = words.split(' ').at(-1) ?? '';
  const named = /^euros?$/.test(last) ? 'EUR' : undefined;
  const code = last.toUpperCase();
  return named ?? (isCurrency(code) && !['ALL', 'TOP'].includes(code) ? code : undefined);
}

/** The code in a column named currency whose rows all have the same one. */
function onlyCurrency({ name, distinct, examples: [code = ''] }: ColumnProfile): string[] {
  return /currency/i.test(name) && distinct === 1 && isCurrency(code) ? [code] : [];
}

/** Which end is good, where the name shows it. A price or fee is good for one side and bad for the other. */
export function guessGood(name: string): 'up' | 'down' | undefined {
  const words = wordsOf(name);
  if (!/fee|price|revenue/.test(words) && /cost|delay|defect|complaint|return|error|churn|loss|late/.test(words))
    return 'down';
  return /revenue|sales|profit|income|rating|score|margin|turnover/.test(words) ? 'up' : undefined;
}
