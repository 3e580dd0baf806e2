import type { DataQuery } from '../../schema/data-query.ts';
import { resolveDimension } from '../model/resolve.ts';
import { auditSorted } from './audit-direction.ts';
import { auditValues } from './audit-values.ts';
import { type AuditedPart, conditionsOf, type Finding, unsure, wrong } from './finding.ts';

const NEGATION =
  /\b(?:not|no|nothing|none|neither|nor|rather than|instead of|without|except|excluding|exclude|never|other than|apart from|non|besides|outside|leave out|leaving out|leave aside|leaving aside|ignor(?:e|ing)|disregard(?:ing)?|omit(?:ting)?|skip(?:ping)?|minus|(?:everything|everyone|anything|all) but)\b|\bw\/o\b|n['’]t\b/i;
const SHARE = /\b(?:share|percent(?:age)?|proportion|fraction)\b|%/i;
const AVERAGE = /\b(?:average|(?<!\b(?:i|we|you) )mean|avg)\b/i;
const TIME =
  /\b(?:january|february|april|june|july|august|september|october|november|december|(?:last|this|past|previous|current) (?:\w+ )?(?:day|week|month|quarter|year)s?|yesterday|(?<!\b(?:have|has|had) )since|until|q[1-4]|ytd|(?:19|20)\d\d|half of|in (?:march|may)|quarter)\b/i;
const GROUPED = /\b(?:by|per|each|every|across(?! all| the board)|breakdown)\b/i;
const BEYOND =
  /\b(?:how many times|why|because|will|next|forecast|predict|should|likely|median|affect|correlat\w*|together|also|often|enough|too (?:much|many)|first|second|again|usually|twice|both|only|else|instead|recently|lately)\b/i;
const NUMBER = /(?<![\p{L}\p{N}-])[$€£]?(-?\d+(?:[.,]\d+)*)(?!\d|[\p{L}-]*-\d)/gu;

/**
 * Holds a question against the query that is to answer it, without knowing how it was read: every direction, number,
 * value, negation, share, average and period of the question must be visible in the query, and the other way round. A
 * question that edits the last one keeps conditions that it does not name.
 */
export function auditQuery(text: string, parts: readonly AuditedPart[], { isEdit = false } = {}): Finding[] {
  const queries = parts.map(({ query }) => query);
  return [
    ...auditSorted(withoutFilters(text, parts), parts),
    ...auditNumbers(text, queries),
    ...auditValues(text, parts, isEdit),
    ...auditWords(text, parts),
    ...auditCounts(parts),
    ...auditShared(parts),
    ...auditPeriod(withoutMeasures(text, parts), queries),
    ...auditBeyond(withoutSorted(withoutPeriods(text, queries), queries)),
  ];
}

function auditBeyond(text: string): Finding[] {
  const found = BEYOND.exec(text)?.[0];
  return found === undefined ? [] : [unsure(`"${found}" is not part of what is computed`)];
}

/** Leaves out the order of the rows, which has a check of its own: "highest first". */
function withoutSorted(text: string, queries: readonly DataQuery[]): string {
  const isSorted = queries.some(({ order }) => order !== null);
  return isSorted
    ? text.replace(/\b(?:highest|lowest|largest|smallest|biggest|most|fewest|best|worst) first\b/gi, ' ')
    : text;
}

/** Leaves out the words of the periods: "the second quarter" is computed. */
function withoutPeriods(text: string, queries: readonly DataQuery[]): string {
  const words = queries.flatMap(({ period, compare, without }) =>
    [period, compare, without?.period].flatMap((one) => one?.words ?? []),
  );
  return words.reduce((rest, phrase) => rest.replace(phrase, ' '), text);
}

/** Every numeral must be a limit, a bound, a part of a date or a part of a value. */
function auditNumbers(text: string, queries: readonly DataQuery[]): Finding[] {
  const known = JSON.stringify(queries.map(({ measures: _measures, ...rest }) => rest));
  const plain = text.replace(/(\d+) (?:grand|thousand)\b/gi, (_, count: string) => `${count}000`);
  const numbers = [...plain.matchAll(NUMBER)].map((match) => String(match[1]).replace(/,(?=\d{3})/g, ''));
  const shares = queries.flatMap(({ having }) =>
    having.map(({ value }) => String(Number((value * 100).toPrecision(12)))),
  );
  return numbers
    .filter((number) => !shares.includes(number))
    .filter((number) => !new RegExp(`(?<!\\d)0?${number.replace('.', '\\.')}(?!\\d)`).test(known))
    .map((number) => wrong(`"${number}" is not in the query`));
}

/** Leaves out names of the computed measures: "days since last order" names no time. */
function withoutMeasures(text: string, parts: readonly AuditedPart[]): string {
  const names = parts.flatMap(({ query, model }) =>
    query.measures.flatMap(({ name }) => [name, ...(model.measures.get(name)?.names ?? [])]),
  );
  return names
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replace(new RegExp(`\\b${name.replace(/[^\w\s]/g, '\\$&')}\\b`, 'gi'), ' '), text);
}

/** Leaves out the names of the conditions: "above the maximum level" asks for no end. */
function withoutFilters(text: string, parts: readonly AuditedPart[]): string {
  const names = parts.flatMap(({ query, model }) =>
    conditionsOf(query).flatMap(({ named }) => named.flatMap(({ name }) => model.filters.get(name)?.names ?? [])),
  );
  return names
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replace(new RegExp(`\\b${name.replace(/[^\w\s]/g, '\\$&')}\\b`, 'gi'), ' '), text);
}

/** "By theft", "by 5": these name no group. */
function withoutActors(text: string, parts: readonly AuditedPart[]): string {
  const values = parts.flatMap(({ query, model }) =>
    conditionsOf(query).flatMap(({ filters }) =>
      filters.flatMap(({ dimension, values: own }) =>
        own.flatMap((value) => [value, ...(model.dimensions.get(dimension)?.values[value] ?? [])]),
      ),
    ),
  );
  const conditions = parts.flatMap(({ query, model }) =>
    conditionsOf(query).flatMap(({ named }) =>
      named.flatMap(({ name }) => [
        ...(model.filters.get(name)?.names ?? []),
        ...(model.filters.get(name)?.opposite ?? []),
      ]),
    ),
  );
  const rest = [...values, ...conditions].reduce(
    (left, value) => left.replace(new RegExp(`\\bby ${value.replace(/[^\w\s]/g, '\\$&')}s?\\b`, 'gi'), ' '),
    text,
  );
  const agents = /\b(?:placed|bought|purchased|written|made|left|given|submitted|posted) by\b/gi;
  return rest.replace(agents, ' ').replace(/\bby [\d\p{Lu}]/gu, ' ');
}

/** Negation, share, average and grouping words, in both directions. */
function auditWords(text: string, parts: readonly AuditedPart[]): Finding[] {
  const queries = parts.map(({ query }) => query);
  const conditions = queries.flatMap(conditionsOf);
  const isNegated = conditions.some(
    ({ filters, named, numbers }) =>
      [...filters, ...named].some(({ negated }) => negated) ||
      filters.some(({ values }) => values.length === 0) ||
      numbers.some(({ is }) => is === 'not'),
  );
  const names = parts.flatMap(({ query, model }) =>
    conditionsOf(query).flatMap(({ named }) =>
      named.flatMap(({ name }) => [
        ...(model.filters.get(name)?.names ?? []),
        ...(model.filters.get(name)?.opposite ?? []),
      ]),
    ),
  );
  const withoutNames = names.reduce(
    (rest, name) => rest.replace(new RegExp(name, 'gi'), ' '),
    text.replace(/\bno (?:more|less|fewer) than\b/gi, ' '),
  );
  const hasValueNot = conditions.some(({ filters }) =>
    filters.some(({ values }) => values.some((value) => /\bnot\b/i.test(value))),
  );
  const saysNot = NEGATION.test(withoutNames);
  const measures = parts.flatMap(({ query, model }) =>
    [...query.measures, ...query.having.map(({ measure: name }) => ({ name, aggregate: null }))].map((asked) => ({
      asked,
      measure: model.measures.get(asked.name),
      query,
    })),
  );
  const isShare = measures.some(
    ({ measure, query }) => query.share !== 'none' || query.compare !== null || measure?.unit === 'percent',
  );
  const isAverage = measures.some(
    ({ measure, asked, query }) =>
      measure?.kind === 'average' ||
      measure?.kind === 'share' ||
      measure?.kind === 'ratio' ||
      asked.aggregate === 'average' ||
      query.per !== null,
  );
  const hasGroup = queries.some(
    ({ dimensions, grain, per, compare }) => dimensions.length > 0 || grain || per || compare,
  );
  return [
    ...(saysNot &&
    !isNegated &&
    !hasValueNot &&
    queries.every(({ without }) => !without) &&
    queries.every(({ share }) => share !== 'beside_rest')
      ? [wrong('the question excludes something')]
      : []),
    ...(SHARE.test(text) && !isShare ? [wrong('the question asks for a share')] : []),
    ...(AVERAGE.test(text) && !isAverage ? [wrong('the question asks for an average')] : []),
    ...(GROUPED.test(withoutActors(withoutMeasures(text, parts), parts)) && !hasGroup
      ? [wrong('the question asks for one figure for each')]
      : []),
  ];
}

/** "How many Luna Tee": one thing that is named is not counted; its stock or its sales are meant. */
function auditCounts(parts: readonly AuditedPart[]): Finding[] {
  return parts.flatMap(({ query, model }) => {
    const counted = new Set(
      query.measures.flatMap(({ name }) => {
        const measure = model.measures.get(name);
        return measure?.isRowCount ? [measure.table] : [];
      }),
    );
    const filters = conditionsOf(query).flatMap((conditions) => conditions.filters);
    const own = filters.filter(({ dimension, negated }) => {
      const entity = model.dimensions.get(dimension)?.entity;
      return !negated && entity !== undefined && counted.has(entity);
    });
    return own.map(({ values }) => wrong(`${values.join(' or ')} is named, not counted`));
  });
}

/** "Revenue and stock by region": the region of the customers beside the region of the locations. */
function auditShared(parts: readonly AuditedPart[]): Finding[] {
  const names = [...new Set(parts.flatMap(({ query }) => query.dimensions))];
  return names.flatMap((name) => {
    const said = parts.flatMap(({ query, model }) => {
      const [first] = query.measures;
      const table = first?.among ?? model.measures.get(first?.name ?? '')?.table ?? '';
      const found = query.dimensions.includes(name) ? resolveDimension(model, table, name) : undefined;
      return found && 'place' in found ? [model.dimensions.get(name)?.say[found.place.table] ?? name] : [];
    });
    return new Set(said).size > 1 ? [unsure(`${[...new Set(said)].join(' and ')} are put beside each other`)] : [];
  });
}

function auditPeriod(text: string, queries: readonly DataQuery[]): Finding[] {
  const periods = queries.flatMap(({ period, compare, without }) =>
    [period, compare, without?.period].filter((one) => one !== null && one !== undefined),
  );
  const hasGrain = queries.some(({ grain, numbers, having }) => grain !== null || numbers.length + having.length > 0);
  if (periods.length === 0) return TIME.test(text) && !hasGrain ? [wrong('the question names a time')] : [];
  const years = [...text.matchAll(/(?<![\d$.,-])((?:19|20)\d\d)(?!\d)/g)].map((match) => String(match[1]));
  // "Before 2022" ends on the last day of 2021.
  const isEdge = (year: string, { from, to }: { from: string; to: string }) =>
    to === `${Number(year) - 1}-12-31` || from === `${Number(year) + 1}-01-01`;
  const missing = years.filter(
    (year) => !periods.some((one) => one.from.startsWith(year) || one.to.startsWith(year) || isEdge(year, one)),
  );
  return missing.map((year) => wrong(`${year} is not in the period`));
}
