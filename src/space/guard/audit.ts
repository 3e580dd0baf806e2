import type { Conditions, DataQuery } from '../../schema/data-query.ts';
import type { DataFacts } from '../model/facts.ts';
import type { Measure, SpaceModel } from '../model/model.ts';

/** A part of the answer: the query, and the model that it is over. */
export interface AuditedPart {
  query: DataQuery;
  model: SpaceModel;
  facts: DataFacts;
}

/** `wrong`: the query contradicts the question. `unsure`: it may say less or more than the question. */
export interface Finding {
  level: 'wrong' | 'unsure';
  text: string;
}

const LOW = /\b(?:fewest|lowest|smallest|bottom|minimum|cheapest|shortest|fastest|quickest|(?<!at )least)\b/i;
const HIGH = /\b(?:highest|largest|biggest|greatest|top|maximum|longest|slowest|priciest|(?<!at )most)\b/i;
const GOOD = /\b(?:best|worst|strongest|weakest|poorest)(?:[- ]rated)?\b/i;
const NEGATION =
  /\b(?:not|no|without|except|excluding|exclude|never|other than|apart from|non|besides|outside|leave out|leaving out|leave aside|leaving aside|ignor(?:e|ing)|disregard(?:ing)?|omit(?:ting)?|skip(?:ping)?|minus|(?:everything|everyone|anything|all) but)\b|n['’]t\b/i;
const SHARE = /\b(?:share|percent(?:age)?|proportion|fraction)\b|%/i;
const AVERAGE = /\b(?:average|(?<!\b(?:i|we|you) )mean|avg)\b/i;
const TIME =
  /\b(?:january|february|april|june|july|august|september|october|november|december|(?:last|this|past|previous|current) (?:\w+ )?(?:day|week|month|quarter|year)s?|yesterday|since|until|q[1-4]|ytd|(?:19|20)\d\d|half of|in (?:march|may)|quarter)\b/i;
const GROUPED = /\b(?:by|per|each|every|across|breakdown)\b/i;
const BEYOND =
  /\b(?:why|because|will|next|forecast|predict|should|likely|median|affect|correlat\w*|together|also|often|enough|too (?:much|many)|first|second|again|usually|twice|both|only|else|instead|recently|lately)\b/i;
const NUMBER = /(?<![\p{L}\p{N}-])[$€£]?(-?\d+(?:[.,]\d+)*)(?!\d|[\p{L}-]*-\d)/gu;

/**
 * Holds a question against the query that is to answer it, without knowing how it was read: every direction, number,
 * value, negation, share, average and period of the question must be visible in the query, and the other way round. A
 * question that edits the last one keeps conditions that it does not name.
 */
export function auditQuery(text: string, parts: readonly AuditedPart[], { isEdit = false } = {}): Finding[] {
  const queries = parts.map(({ query }) => query);
  return [
    ...auditDirection(text, parts),
    ...auditNumbers(text, queries),
    ...auditValues(text, parts, isEdit),
    ...auditWords(text, parts),
    ...auditCounts(parts),
    ...auditPeriod(withoutMeasures(text, parts), queries),
    ...(BEYOND.test(text) ? [unsure(`"${BEYOND.exec(text)?.[0]}" is not part of what is computed`)] : []),
  ];
}

function wrong(text: string): Finding {
  return { level: 'wrong', text };
}

function unsure(text: string): Finding {
  return { level: 'unsure', text };
}

function auditDirection(text: string, parts: readonly AuditedPart[]): Finding[] {
  const ranked = parts.find(({ query }) => query.order);
  const order = ranked?.query.order;
  const measure = ranked?.model.measures.get(order?.by ?? '');
  const isLow = LOW.test(text);
  const isHigh = HIGH.test(text);
  const good = GOOD.exec(text)?.[0];
  if (!order) return isLow || isHigh || good ? [wrong('the question asks for one end of a ranking')] : [];
  const directions = new Set(parts.flatMap(({ query }) => query.order?.direction ?? []));
  if (isLow && isHigh && !good && directions.size === 1) return [wrong('the question asks for both ends of a ranking')];
  if (isLow && !isHigh && order.direction !== 'lowest' && !good) return [wrong('the question asks for the lowest')];
  if (isHigh && !isLow && order.direction !== 'highest' && !good) return [wrong('the question asks for the highest')];
  if (good && !isLow && !isHigh) return auditGood(/^(?:best|strong)/i.test(good), order.direction, measure);
  return [];
}

function auditGood(isBest: boolean, direction: string, measure: Measure | undefined): Finding[] {
  const high = [...(measure?.high ?? []), ...(measure?.low ?? [])].length > 0 && measure?.good === undefined;
  if (measure?.good === undefined) return high ? [] : [unsure('which end is the best one is not known')];
  const wanted = (measure.good === 'up') === isBest ? 'highest' : 'lowest';
  return direction === wanted ? [] : [wrong(`the question asks for the ${wanted}`)];
}

/** Every numeral must be a limit, a bound, a part of a date or a part of a value. */
function auditNumbers(text: string, queries: readonly DataQuery[]): Finding[] {
  const known = JSON.stringify(queries.map(({ measures: _measures, ...rest }) => rest));
  const numbers = [...text.matchAll(NUMBER)].map((match) => String(match[1]).replace(/,(?=\d{3})/g, ''));
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

function conditionsOf(query: DataQuery): Conditions[] {
  return [query, ...(query.part ? [query.part] : [])];
}

/** Every value of the data that the question names must be a condition, and every condition must be named. */
function auditValues(text: string, parts: readonly AuditedPart[], isEdit: boolean): Finding[] {
  const plain = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}+&]+/gu, ' ')} `;
  const used = parts.flatMap(({ query }) => conditionsOf(query).flatMap(({ filters }) => filters));
  const usedTexts = used.flatMap(({ values }) => values.map(flat));
  const names = parts.flatMap((part) => wordsOfQuery(part)).map(flat);
  const all = new Set(parts.flatMap(({ facts }) => [...facts.values.values()].flat()));
  const said = [...all]
    .map(flat)
    .filter((value) => value.length > 2 && (plain.includes(` ${value} `) || plain.includes(` ${value}s `)));
  const longest = said.filter((value) => !said.some((other) => other !== value && ` ${other} `.includes(` ${value} `)));
  const dropped = longest.filter(
    (value) => !usedTexts.includes(value) && !names.some((name) => ` ${name} `.includes(` ${value} `)),
  );
  const invented = used.flatMap(({ dimension, values }) =>
    values.filter((value) => !isSaid(plain, { dimension, value }, parts)),
  );
  return [
    ...dropped.map((value) => wrong(`"${value}" is not a condition of the query`)),
    ...(isEdit ? [] : invented).map((value) => wrong(`the question does not name ${value}`)),
  ];
}

function flat(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+&]+/gu, ' ')
    .trim();
}

function wordsOfQuery({ query, model }: AuditedPart): string[] {
  const measures = query.measures.flatMap(({ name, among }) => {
    const measure = model.measures.get(name);
    const tables = [measure?.table, among].map((table) => model.tables.get(table ?? '')?.names ?? []);
    return [
      name,
      ...(measure?.names ?? []),
      ...(measure?.short ?? []),
      ...(measure?.high ?? []),
      ...(measure?.low ?? []),
      ...tables.flat(),
    ];
  });
  const filters = conditionsOf(query).flatMap(({ named }) =>
    named.flatMap(({ name }) => [
      ...(model.filters.get(name)?.names ?? []),
      ...(model.filters.get(name)?.opposite ?? []),
    ]),
  );
  const dimensions = query.dimensions.flatMap((name) => [name, ...(model.dimensions.get(name)?.names ?? [])]);
  const values = conditionsOf(query).flatMap(({ filters: list }) =>
    list.flatMap(({ dimension, values: own }) =>
      own.flatMap((value) => [dimension, ...synonymsOf(model, dimension, value)]),
    ),
  );
  return [...measures, ...filters, ...dimensions, ...values];
}

function synonymsOf(model: SpaceModel, dimension: string, value: string): readonly string[] {
  const plain =
    model.dimensions.get(dimension) ??
    [...model.dimensions.values()].find(({ name }) => dimension.endsWith(` ${name}`));
  const found = plain ?? [...model.dimensions.values()].find(({ role }) => role === dimension);
  return [...(found?.values[value] ?? []), ...(found?.widening[value] ?? [])];
}

function isSaid(
  plain: string,
  { dimension, value }: { dimension: string; value: string },
  parts: readonly AuditedPart[],
): boolean {
  const words = [value, ...parts.flatMap(({ model }) => synonymsOf(model, dimension, value))].map(flat);
  return words.some(
    (word) =>
      plain.includes(` ${word} `) ||
      plain.includes(` ${word}s `) ||
      plain.includes(` ${word}es `) ||
      plain.includes(` ${word.replace(/y$/, 'ies')} `) ||
      plain.includes(` ${word.replace(/s$/, '')} `),
  );
}

/** Negation, share, average and grouping words, in both directions. */
function auditWords(text: string, parts: readonly AuditedPart[]): Finding[] {
  const queries = parts.map(({ query }) => query);
  const conditions = queries.flatMap(conditionsOf);
  const isNegated = conditions.some(
    ({ filters, named, numbers }) =>
      [...filters, ...named].some(({ negated }) => negated) || numbers.some(({ is }) => is === 'not'),
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
  const isShare = measures.some(({ measure, query }) => query.share !== 'none' || measure?.unit === 'percent');
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
    ...(saysNot && !isNegated && !hasValueNot && queries.every(({ without }) => !without)
      ? [wrong('the question excludes something')]
      : []),
    ...(SHARE.test(text) && !isShare ? [wrong('the question asks for a share')] : []),
    ...(AVERAGE.test(text) && !isAverage ? [wrong('the question asks for an average')] : []),
    ...(GROUPED.test(withoutMeasures(text, parts).replace(/\bby [\d\p{Lu}]/gu, ' ')) && !hasGroup
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
    const own = query.filters.filter(({ dimension, negated }) => {
      const entity = model.dimensions.get(dimension)?.entity;
      return !negated && entity !== undefined && counted.has(entity);
    });
    return own.map(({ values }) => wrong(`${values.join(' or ')} is named, not counted`));
  });
}

function auditPeriod(text: string, queries: readonly DataQuery[]): Finding[] {
  const periods = queries.flatMap(({ period, compare, without }) =>
    [period, compare, without?.period].filter((one) => one !== null && one !== undefined),
  );
  const hasGrain = queries.some(({ grain, numbers, having }) => grain !== null || numbers.length + having.length > 0);
  if (periods.length === 0) return TIME.test(text) && !hasGrain ? [wrong('the question names a time')] : [];
  const years = [...text.matchAll(/(?<![\d$.,-])((?:19|20)\d\d)(?!\d)/g)].map((match) => String(match[1]));
  const missing = years.filter((year) => !periods.some(({ from, to }) => from.startsWith(year) || to.startsWith(year)));
  return missing.map((year) => wrong(`${year} is not in the period`));
}
