import type { DataQuery } from '../../schema/data-query.ts';
import { type AuditedPart, conditionsOf, type Finding, open, unsure } from './finding.ts';

const QUANTITY =
  /\b(?:exactly|precisely|once|twice|single|at least|at most|no (?:more|less|fewer) than|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?! of\b))\b/i;
const NEGATION =
  /\b(?:not|no|none|never|nobody|without|except|excluding|besides|neither|nor|non|nothing|outside|rather than|instead of|leav(?:e|ing) (?:out|aside)|ignor(?:e|ing)|other than|apart from|all but|everything but)\b|\bw\/o\b|n['’]t\b/gi;
const DOUBLE =
  /\b(?:not|no|never|none|without|except|excluding|besides|other than|apart from|all but|everything but|nothing)\s+(?:(?:for|the|those|any|in)\s+)*(?:not|outside|without|except|excluding|other than|apart from|but)\b/i;
/** "Or more" and "or less" belong to a number. */
const OR =
  /\bor\b(?! (?:more|less|fewer|above|below|higher|lower|better|worse|over|under|older|younger|longer|shorter|greater)\b)/gi;
const VAGUE = /\b(?:figures?|numbers|data|statistics|stats|details|info|situation|status|performance|picture)\b/i;
const HOW_MUCH = /\bhow (?:many|much)\b/gi;

/**
 * Kinds of questions that were read as another question with nothing left over. They are answered, but never with high
 * confidence. The rules share nothing with the reading of the question.
 */
export function findDoubts(text: string, parts: readonly AuditedPart[]): Finding[] {
  const queries = parts.map(({ query }) => query);
  const measures = queries.flatMap((query) => query.measures).length;
  return [
    ...(queries.some(hasWidePart) ? [unsure('several conditions may belong to the part or to the whole')] : []),
    ...(QUANTITY.test(text) && !queries.some(hasQuantity) ? [unsure('a number or a quantity may be meant')] : []),
    ...(VAGUE.test(text) ? [unsure('it does not say which figure is meant')] : []),
    ...(countOf(HOW_MUCH, text) > measures ? [open('several figures are asked for')] : []),
    ...(parts.some(isOfOthers) ? [unsure('the number may be about another measure')] : []),
    ...(parts.some(isElsewhere) ? [unsure('the number may be about another column')] : []),
    ...(parts.some(isCountedTwice) ? [unsure('the same word is a figure of another table')] : []),
    ...(countOf(OR, withoutValues(text, queries)) > queries.reduce((sum, query) => sum + alternativesOf(query), 0)
      ? [unsure('"or" may join different conditions, which are taken together here')]
      : []),
    ...(parts.some((part) => hasOtherDate(text, part)) ? [open('the date of something else may be meant')] : []),
    ...checkNegation(text, parts),
  ];
}

/** "Customers who churned in May": the date of a customer is that of the sign-up, which a word must name. */
function hasOtherDate(text: string, { query, model }: AuditedPart): boolean {
  const plain = text.toLowerCase();
  return query.measures.some(({ name, among }) => {
    const measure = model.measures.get(name);
    const { label, verbs = [], light = [], short = [] } = model.tables.get(measure?.table ?? '') ?? {};
    if (label === undefined || measure?.isRowCount !== true || among !== null) return false;
    if (query.period === null && query.grain === null) return false;
    const stems = [...verbs, ...light, ...short].map((word) => word.toLowerCase().slice(0, 4));
    return (
      !/\bnew\b/.test(plain) && !stems.some((stem) => new RegExp(`\\b${stem.replace(/[^a-z]/g, '.')}`).test(plain))
    );
  });
}

/** "What share of the women in the West are churned?": each condition but one may form the whole. */
function hasWidePart({ part, share }: DataQuery): boolean {
  return share !== 'none' && part !== null && part.filters.length + part.named.length + part.numbers.length > 1;
}

function hasQuantity(query: DataQuery): boolean {
  const numbers = conditionsOf(query).flatMap((conditions) => conditions.numbers);
  return numbers.length + query.having.length > 0 || query.limit !== null || query.compare !== null;
}

/** A condition on a number of another table than the one that is measured. */
function isElsewhere({ query, model }: AuditedPart): boolean {
  const tables = query.measures.flatMap(({ name, among }) => [model.measures.get(name)?.table ?? name, among ?? name]);
  const numbers = conditionsOf(query).flatMap((conditions) => conditions.numbers);
  return numbers.some(({ column }) => !tables.includes(column.split('.')[0] ?? ''));
}

/** "Stockouts that lost over 50 units": rows of one table have no measure of another table. Customers have orders. */
function isOfOthers({ query, model }: AuditedPart): boolean {
  const tables = query.measures.map(({ name }) => model.measures.get(name)?.table);
  const entities = [...model.dimensions.values()].map(({ entity }) => entity);
  return (
    query.having.some(({ measure }) => {
      const table = model.measures.get(measure)?.table;
      return !tables.includes(table) && tables.some((own) => !entities.includes(own));
    }) && query.dimensions.length === 0
  );
}

/** "How many carts": the rows of one table, and a column of another one. */
function isCountedTwice({ query, model }: AuditedPart): boolean {
  if (query.share !== 'none' || query.named.length > 0) return false;
  const all = [...model.measures.values()];
  return query.measures.some(({ name }) => {
    const counted = model.measures.get(name);
    const isOther = ({ table, expressions }: (typeof all)[number]) =>
      table !== counted?.table && expressions.includes(counted?.table ?? '');
    return counted?.isRowCount === true && all.some(isOther);
  });
}

/** Things of one kind that the query takes together or shows beside each other. */
function alternativesOf(query: DataQuery): number {
  const filters = conditionsOf(query).flatMap((conditions) => conditions.filters);
  const values = filters.reduce((sum, { values: own }) => sum + Math.max(0, own.length - 1), 0);
  const isBeside = query.compare !== null || query.share === 'beside_rest' || query.grain !== null;
  return values + Math.max(0, query.measures.length - 1) + (isBeside ? 1 : 0);
}

/** "Theft or shrinkage" is one value. */
function withoutValues(text: string, queries: readonly DataQuery[]): string {
  const values = queries.flatMap((query) =>
    conditionsOf(query).flatMap(({ filters }) => filters.flatMap((one) => one.values)),
  );
  return values
    .filter((value) => /\bor\b/i.test(value))
    .reduce((rest, value) => rest.toLowerCase().replaceAll(value.toLowerCase(), ' '), text);
}

/** A word of negation denies one thing, and a group is not listed without one of its values. */
function checkNegation(text: string, parts: readonly AuditedPart[]): Finding[] {
  const queries = parts.map(({ query }) => query);
  const denied = parts.flatMap(({ query, model }) => [
    ...conditionsOf(query).flatMap(({ filters, named }) => [
      ...filters.filter(({ negated }) => negated),
      ...named.filter(({ name, negated }) => negated && !saysAny(text, model.filters.get(name)?.opposite ?? [])),
    ]),
    ...(query.without ? [query.without] : []),
  ]);
  const isDouble = DOUBLE.test(text);
  const isListed = queries.some(({ dimensions, filters }) =>
    filters.some(({ dimension, negated }) => negated && dimensions.includes(dimension)),
  );
  return [
    ...(denied.length > countOf(NEGATION, text) ? [unsure('more is excluded than the question says')] : []),
    ...(isDouble ? [unsure('one negation follows another')] : []),
    ...(isListed ? [unsure('a total without these values may be meant')] : []),
  ];
}

/** "On time" is the declared opposite of "late", and needs no negation. */
function saysAny(text: string, words: readonly string[]): boolean {
  return words.some((word) => new RegExp(`(?<!\\bnot )\\b${word.replace(/[^\w\s]/g, '\\$&')}\\b`, 'i').test(text));
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
