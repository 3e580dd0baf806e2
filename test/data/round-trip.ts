import type { createChance } from '../../scripts/retail-chance.ts';
import type { DataQuery } from '../../src/schema/data-query.ts';
import type { Answer, Desk } from './ask-retail.ts';
import { findDifference } from './compare-rows.ts';
import { compute, countedTable, resolveMeasure } from './compute.ts';
import { type FramedQuestion, fillFrame, readFrames } from './frames.ts';
import { columnsOf, entityOf, homeOf, Unsupported } from './joins.ts';
import type { Model } from './shop.ts';

type Chance = ReturnType<typeof createChance>;

export interface RoundTrip {
  asked: FramedQuestion;
  answer: Answer;
  outcome: 'same, high' | 'same' | 'declined' | 'other, flagged' | 'other, high';
  /** Why an executed answer differs from the plain computation. */
  difference?: string;
  isComputed: boolean;
}

/** Random queries in English. Each pattern is used about equally often. */
export function* makeQuestions(shop: readonly Model[], chance: Chance, count: number): Generator<FramedQuestion> {
  const frames = readFrames();
  const seen = new Set<string>();
  for (let made = 0, tries = 0; made < count && tries < count * 20; tries++) {
    const frame = frames[tries % frames.length];
    const question = frame && fillFrame(frame, chance.pick(shop), chance);
    if (!question || seen.has(question.text)) continue;
    seen.add(question.text);
    made++;
    yield question;
  }
}

export async function askBack(desk: Desk, shop: readonly Model[], asked: FramedQuestion): Promise<RoundTrip> {
  const answer = await desk.ask(asked.text);
  return { asked, answer, outcome: compareQueries(asked, answer, shop), ...checkFigures(answer, shop) };
}

export function compareQueries(
  { model, query }: Pick<FramedQuestion, 'model' | 'query'>,
  { calls, confidence }: Answer,
  shop: readonly Model[],
): RoundTrip['outcome'] {
  const executed = calls.filter(({ table }) => table.rows.length > 0 || confidence === 'high');
  if (executed.length === 0) return 'declined';
  const expected = canonical(model, query);
  const isSame = executed.some((call) => {
    const own = shop.find(({ space }) => space === call.space);
    return call.query && own && meaning(own, call.query) === expected;
  });
  const isHigh = confidence === 'high';
  if (isSame) return isHigh ? 'same, high' : 'same';
  return isHigh ? 'other, high' : 'other, flagged';
}

function meaning(model: Model, query: FramedQuestion['query']): string | undefined {
  try {
    return canonical(model, query);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Compares each executed answer with the computation of its query over the CSV rows. */
export function checkFigures({ calls }: Answer, shop: readonly Model[]): Pick<RoundTrip, 'difference' | 'isComputed'> {
  const checked = calls.flatMap(({ space, query, table }) => {
    const model = shop.find((one) => one.space === space);
    return query && model ? [differenceOf(model, query, table)] : [];
  });
  const difference = checked.find((one) => one !== undefined);
  return { isComputed: checked.length > 0, ...(difference !== undefined && { difference }) };
}

function differenceOf(model: Model, query: FramedQuestion['query'], table: Answer['calls'][number]['table']) {
  try {
    return findDifference(compute(model, query), table, query);
  } catch (error) {
    if (error instanceof Unsupported) return `not computable here: ${error.message}`;
    throw error;
  }
}

const FIRST_DAY = '2024-11-01';

/** A text that is equal for queries with the same meaning, whatever their words and the order of their parts. */
function canonical(model: Model, query: DataQuery): string {
  const [first] = query.measures;
  const base = first ? resolveMeasure(model, first).table : '';
  const measure = (name: string) => meaningOf(model, { name, aggregate: null, among: null });
  const dimension = (name: string) => homeOf(model, base, name) ?? columnsOf(model, name)[0] ?? name;
  const periods = [query.period, query.compare].map((period) => clip(model, period));
  return JSON.stringify({
    measures: query.measures.map((one) => meaningOf(model, one)).toSorted(),
    dimensions: query.dimensions.map(dimension).toSorted(),
    grain: query.grain,
    ...conditions(query, dimension),
    without: query.without && [query.without.table, clip(model, query.without.period)],
    having: query.having.map(({ measure: name, is, value }) => `${measure(name)} ${is} ${value}`).toSorted(),
    periods: query.compare ? periods.toSorted() : periods,
    // Without a limit the order changes no figure.
    order: query.limit === null ? null : query.order && [measure(query.order.by), query.order.direction],
    limit: query.limit,
    within: query.limit_within,
    share: query.share,
    part: query.part && conditions(query.part, dimension),
    per: query.per && (entityOf(model, query.per)?.name ?? query.per),
  });
}

function meaningOf(model: Model, one: DataQuery['measures'][number]): string {
  const { table, how, expressions, where } = resolveMeasure(model, one);
  return JSON.stringify([table, how, expressions, where, one.among && (countedTable(model, one.name) ?? one.name)]);
}

type Conditions = Pick<DataQuery, 'filters' | 'named' | 'numbers'>;

function conditions({ filters, named, numbers }: Conditions, dimension: (name: string) => string) {
  return {
    filters: filters.map((one) => `${dimension(one.dimension)} ${one.negated} ${one.values.toSorted()}`).toSorted(),
    named: named.map(({ name, negated }) => `${name} ${negated}`).toSorted(),
    numbers: numbers.map(({ column, is, value }) => `${column} ${is} ${value}`).toSorted(),
  };
}

/** The part of a period that has data: "in 2025" and "this year" are then the same. */
function clip({ today }: Model, period: DataQuery['period']): string | null {
  if (!period) return null;
  return `${period.from < FIRST_DAY ? FIRST_DAY : period.from}..${period.to > today ? today : period.to}`;
}
