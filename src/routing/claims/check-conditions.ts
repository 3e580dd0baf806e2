import type { Conditions, DataQuery } from '../../schema/data-query.ts';
import type { Sentence } from '../check/answer-parts.ts';
import type { ExecutedQuery } from '../check/executed-query.ts';
import { type Claim, type ClaimText, executedIn, inside, measureWords, textOf } from './claim-text.ts';
import { isDirectionWord } from './direction-words.ts';
import type { Meaning, Mention } from './find-mentions.ts';

type Value = Extract<Meaning, { kind: 'value' }>;
type Filter = Extract<Meaning, { kind: 'filter' }>;

/** Finds named values and conditions that the queries did not select, and conditions that the answer leaves out. */
export function checkConditions(claims: ClaimText): Claim[] {
  return [
    ...claims.sentences.flatMap((sentence) =>
      inside(claims.mentions, sentence).flatMap((mention) => checkMention(claims, sentence, mention)),
    ),
    ...claims.executed.flatMap((executed) => leftOut(claims, executed)),
  ];
}

const NEGATED =
  /(?:\b(?:not|no|non|excluding|except|without|other than|outside|apart from|aside from|besides|never|minus)\b|n['’]t\b|-?non-)[^.;:|\n]{0,30}$/i;

function checkMention(claims: ClaimText, sentence: Sentence, mention: Mention): Claim[] {
  const values = mention.meanings.filter((meaning) => meaning.kind === 'value');
  const filters = mention.meanings.filter((meaning) => meaning.kind === 'filter');
  if (values.length + filters.length === 0 || isDirectionWord(mention)) return [];
  const executed = executedIn(claims, sentence);
  const isNegated = NEGATED.test(claims.text.slice(sentence.start, mention.start));
  const hasOther = mention.meanings.some(({ kind }) => kind === 'measure' || kind === 'dimension');
  const isFine =
    executed.some((one) => values.some((value) => isSelected(one, value, isNegated))) ||
    executed.some((one) => filters.some((filter) => isApplied(claims, one, filter, isNegated))) ||
    (hasOther && !values.some((value) => executed.some((one) => isFiltered(one, value)))) ||
    (values.length > 0 && !isSure(executed, values, mention));
  return isFine ? [] : [{ start: mention.start, end: mention.end, reason: describe(claims, executed) }];
}

/** A single common word is a value only if the query selects by its dimension, or if it is written as a name. */
function isSure(executed: readonly ExecutedQuery[], values: readonly Value[], { text, isLoose }: Mention): boolean {
  const isFilteredBy = values.some((value) => executed.some((one) => isFiltered(one, value)));
  if (isLoose) return isFilteredBy && (/s$/.test(text) || /\s/.test(text));
  return isFilteredBy || /\s/.test(text) || /^\p{Lu}/u.test(text);
}

function partsOf(query: DataQuery): Conditions[] {
  return [query, ...(query.part ? [query.part] : [])];
}

function isFiltered({ query }: ExecutedQuery, { dimension }: Value): boolean {
  return partsOf(query).some(({ filters }) => filters.some((filter) => filter.dimension === dimension));
}

/** A value of the rows, or one that a condition selects with the same sign. */
function isSelected({ query, rows }: ExecutedQuery, { value }: Value, isNegated: boolean): boolean {
  // A dimension can have another name as the role of a join: a location as origin.
  const own = partsOf(query).flatMap(({ filters }) => filters.filter(({ values }) => values.includes(value)));
  if (own.length > 0) return own.some(({ negated }) => negated === isNegated);
  return rows.some((row) => Object.values(row).includes(value));
}

function isApplied(
  claims: ClaimText,
  { query }: ExecutedQuery,
  { name, negated }: Filter,
  isNegated: boolean,
): boolean {
  const isMeasure = query.measures.some((measure) => measureWords(claims, measure.name)?.filters.includes(name));
  const own = partsOf(query).flatMap((part) => part.named.filter((filter) => filter.name === name));
  return isMeasure || own.some((filter) => filter.negated === (negated !== isNegated));
}

/** A condition of a query, and whether the answer says it. */
interface Condition {
  text: string;
  isSaid: boolean;
}

function conditionsOf(claims: ClaimText, { query }: ExecutedQuery, said: readonly Mention[]): Condition[] {
  const isMeant = (test: (meaning: Meaning) => boolean) => said.some(({ meanings }) => meanings.some(test));
  const values = partsOf(query).flatMap(({ filters }) => filters);
  const named = partsOf(query).flatMap((part) => part.named);
  return [
    ...values.map(({ dimension, values: list, negated }) => ({
      text: `${dimension} ${negated ? 'not ' : ''}${list.join(' or ')}`,
      isSaid: isMeant((one) => one.kind === 'value' && list.includes(one.value)),
    })),
    ...named.map(({ name, negated }) => ({
      text: `${negated ? 'not ' : ''}${name}`,
      isSaid: isMeant(
        (one) =>
          (one.kind === 'filter' && one.name === name) ||
          (one.kind === 'measure' && measureWords(claims, one.name)?.filters.includes(name) === true),
      ),
    })),
    ...query.numbers.map(({ column, value }) => ({
      text: `${column.split('.')[1]?.replaceAll('_', ' ')} by ${value}`,
      isSaid: claims.whole.replaceAll(',', '').includes(String(value)),
    })),
    ...(query.without
      ? [
          {
            text: `without ${query.without.table.replaceAll('_', ' ')}`,
            isSaid: /\b(?:no|not|none|never|without)\b|n['’]t\b/i.test(claims.whole),
          },
        ]
      : []),
  ];
}

/** A figure of a part that is given as if it were the whole. A bare figure relies on the question. */
function leftOut(claims: ClaimText, executed: ExecutedQuery): Claim[] {
  const figure = claims.figures.find(({ call_id: id, column }) => id === executed.callId && column !== undefined);
  const missing = conditionsOf(claims, executed, claims.said).filter(({ isSaid }) => !isSaid);
  if (!figure || missing.length === 0 || isBare(claims, executed)) return [];
  return [{ start: figure.start, end: figure.end, reason: onlyOf(missing.map(({ text }) => text)) }];
}

/** True if no sentence with a figure of the query says what the figure is. */
export function isBare(claims: ClaimText, { callId }: ExecutedQuery): boolean {
  const sentences = claims.sentences.filter((sentence) =>
    inside(claims.figures, sentence).some(({ call_id: id }) => id === callId),
  );
  return sentences.every((sentence) => !/\p{L}{2}/u.test(textOf(claims, sentence)));
}

function describe(claims: ClaimText, executed: readonly ExecutedQuery[]): string {
  const texts = executed.flatMap((one) => conditionsOf(claims, one, []).map(({ text }) => text));
  return texts.length > 0 ? onlyOf(texts) : 'the query did not select by it';
}

function onlyOf(texts: readonly string[]): string {
  return `the query counted only ${[...new Set(texts)].join(', ')}`;
}
