import { readFileSync } from 'node:fs';
import type { createChance } from '../../scripts/retail-chance.ts';
import { DataQuery } from '../../src/schema/data-query.ts';
import { compute } from './compute.ts';
import { entityOf } from './joins.ts';
import type { Measure, Model, Table } from './shop.ts';
import {
  averagesOf,
  countedTables,
  dimensionsOf,
  PERIODS,
  phraseOf,
  plural,
  type SpokenMeasure,
  spokenMeasures,
  type Value,
  valuesOf,
} from './vocabulary.ts';

type Chance = ReturnType<typeof createChance>;

/** A sentence pattern of the outside author, and what it asks for. */
export interface Frame {
  style: string;
  kind: string;
  pattern: string;
  means: {
    measure?: boolean;
    row_measure?: boolean;
    entity?: boolean;
    aggregate?: string;
    dimension?: boolean;
    time?: 'month' | 'week' | 'quarter';
    filters?: number;
    not_filters?: number | string;
    period?: boolean;
    compare?: string[];
    order?: 'highest' | 'lowest';
    limit?: number | 'n';
    share?: boolean;
    having?: { op: string; value: string };
    row_filter?: { op: string; value: string };
  };
}

/** An English question and the only query that it can mean. */
export interface FramedQuestion {
  text: string;
  query: DataQuery;
  model: Model;
  frame: Frame;
  /** The table of the measure, and the values that were filled in. */
  base: string;
  values: readonly Value[];
}

const FILE = new URL('../fixtures/routing/frames.json', import.meta.url);

export function readFrames(): Frame[] {
  const [, ...frames] = JSON.parse(readFileSync(FILE, 'utf8')) as [unknown, ...Frame[]]; // the first entry explains them
  return frames;
}

const OPERATORS = { '>': 'more', '<': 'less', '>=': 'at_least' } as const;
const HIGH = ['highest', 'largest', 'biggest'];
const LOW = ['lowest', 'smallest'];

/** Fills a pattern with the words of a model; undefined if the model has nothing that fits it. */
export function fillFrame(frame: Frame, model: Model, chance: Chance): FramedQuestion | undefined {
  const subject = pickSubject(frame, model, chance);
  if (!subject) return undefined;
  const { means } = frame;
  const base = subject.table.name;
  const isTimed = means.period || means.compare || means.time;
  if (isTimed && (subject.table.time === undefined || subject.table.label !== undefined)) return undefined;
  if (subject.measure?.isLevel && (means.time !== 'month' || means.period)) return undefined;
  const isEntity = (name: string) => means.aggregate !== 'count_groups' || entityOf(model, name) !== undefined;
  const dimensions = dimensionsOf(model, base).filter(({ name }) => isEntity(name));
  const dimension = means.dimension && dimensions.length > 0 ? chance.pick(dimensions) : undefined;
  const values = pickValues(frame, { model, base, dimension: dimension?.name }, chance);
  if (!values || (means.dimension && !dimension)) return undefined;
  const [period, other] = pickPeriods(chance);
  const draft = toQuery(frame, { subject, dimension: dimension?.name, values, period, other });
  const number = pickNumber(frame, model, { draft, subject }, chance);
  if (number === undefined) return undefined;
  const query = withNumber(frame, model, { draft, subject }, number);
  const words: Record<string, string> = {
    measure: subject.words,
    row_measure: subject.words,
    entity_plural: plural(subject.table.names[0] ?? ''),
    dimension: dimension?.name ?? '',
    dimension_plural: plural(dimension?.name ?? ''),
    value_phrase: values[0] ? phraseOf(values[0]) : '',
    value_phrase_2: values[1] ? phraseOf(values[1]) : '',
    period: period.words,
    period_2: other.words,
    n: String(number),
    direction_high_word: chance.pick(HIGH),
    direction_low_word: chance.pick(LOW),
  };
  const text = frame.pattern.replace(/\{(\w+)\}/g, (_, slot: string) => words[slot] ?? '');
  return { text: text.charAt(0).toUpperCase() + text.slice(1), query, model, frame, base, values };
}

interface Subject {
  table: Table;
  words: string;
  name: string;
  measure?: Measure;
}

function pickSubject({ kind, pattern, means }: Frame, model: Model, chance: Chance): Subject | undefined {
  if (means.entity && !means.row_measure) {
    const tables = countedTables(model);
    if (tables.length === 0) return undefined;
    const table = chance.pick(tables);
    return { table, words: plural(table.names[0] ?? ''), name: table.name };
  }
  const isSum = kind === 'total' || kind === 'share';
  const spoken = means.row_measure
    ? averagesOf(model).filter(({ measure }) => !means.entity || (tableOf(model, measure)?.names.length ?? 0) > 0)
    : spokenMeasures(model).filter(({ measure }) => fits(measure, { isSum, pattern, hasNumber: !!means.having }));
  if (spoken.length === 0) return undefined;
  const { measure, words }: SpokenMeasure = chance.pick(spoken);
  const table = tableOf(model, measure);
  return table && { table, words, name: measure.name, measure };
}

const tableOf = (model: Model, { table }: Measure) => model.tables.get(table);

function fits(measure: Measure, frame: { isSum: boolean; pattern: string; hasNumber: boolean }): boolean {
  if (frame.isSum && (measure.how !== 'sum' || measure.isLevel)) return false;
  if (frame.pattern.includes('how much') && measure.unit !== 'USD') return false;
  return !frame.hasNumber || measure.unit !== 'percent';
}

/** The name of a table's rows as a measure; the table itself may have the name of another one, such as stock. */
const countName = ({ names, name }: Table) => `number of ${plural(names[0] ?? name)}`;

/** A value for each condition, of different dimensions, none of them the one that is grouped by. */
function pickValues(
  { means }: Frame,
  { model, base, dimension }: { model: Model; base: string; dimension: string | undefined },
  chance: Chance,
): Value[] | undefined {
  const isExcluded = means.not_filters === 1;
  const count = (means.filters ?? 0) + (isExcluded || means.not_filters !== undefined ? 1 : 0);
  const picked: Value[] = [];
  for (let tries = 0; picked.length < count && tries < 40; tries++) {
    const values = valuesOf(model, base);
    if (values.length === 0) return undefined;
    const value = chance.pick(values);
    const isFree = value.dimension !== dimension && picked.every((one) => one.dimension !== value.dimension);
    if (isFree) picked.push(value);
  }
  return picked.length === count ? picked : undefined;
}

function pickPeriods(chance: Chance) {
  const period = chance.pick(PERIODS);
  const others = PERIODS.filter((one) => one.from > period.to || one.to < period.from);
  return [period, chance.pick(others)] as const;
}

interface Parts {
  subject: Subject;
  dimension: string | undefined;
  values: readonly Value[];
  period: (typeof PERIODS)[number];
  other: (typeof PERIODS)[number];
}

function toQuery({ means }: Frame, { subject, dimension, values, period, other }: Parts): DataQuery {
  const excluded = means.not_filters === undefined ? 0 : 1;
  const filters = values.map(({ dimension: name, value }, at) => ({
    dimension: name,
    values: [value],
    negated: at >= values.length - excluded,
  }));
  const isPart = means.share === true && !means.dimension;
  const isCounted = means.aggregate === 'count';
  return DataQuery.parse({
    measures: [{ name: isCounted ? countName(subject.table) : subject.name }],
    dimensions: dimension === undefined ? [] : [dimension],
    grain: means.time ?? null,
    filters: isPart ? [] : filters,
    period: means.period || means.compare ? period : null,
    compare: means.compare ? other : null,
    order: means.order ? { by: isCounted ? countName(subject.table) : subject.name, direction: means.order } : null,
    limit: typeof means.limit === 'number' ? means.limit : null,
    share: means.share ? (isPart ? 'of_whole' : 'of_group') : 'none',
    part: isPart ? { filters } : null,
  });
}

interface Drafted {
  draft: DataQuery;
  subject: Subject;
}

/** A number that fits the slot: a count for a limit, a figure of the right size for a threshold. */
function pickNumber({ means }: Frame, model: Model, { draft, subject }: Drafted, chance: Chance): number | undefined {
  if (means.limit === 'n') return chance.whole(2, 5);
  if (means.having) {
    const figures = compute(model, draft).rows.map(({ values: [value] }) => value ?? 0);
    if (figures.length < 3) return undefined;
    return nearWhole(chance.pick(figures));
  }
  if (!means.row_filter) return 0;
  const [, column = ''] = (subject.measure?.expressions[0] ?? '').split('.');
  const cells = subject.table.rows.map((row) => row[column]);
  const cell = cells.length > 0 ? chance.pick(cells) : null;
  return typeof cell === 'number' ? nearWhole(cell) : undefined;
}

/** A round number that is not exactly the figure, so that "more" and "at least" are the same rows. */
function nearWhole(figure: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.abs(figure) || 1)) - 1);
  const rounded = Math.round(figure / step) * step;
  return rounded === figure ? rounded + step : rounded;
}

function withNumber({ means }: Frame, model: Model, { draft: query, subject }: Drafted, number: number): DataQuery {
  const counted = entityOf(model, query.dimensions[0] ?? '')?.name ?? '';
  if (means.limit === 'n') return { ...query, limit: number };
  if (means.row_filter) {
    const is = OPERATORS[means.row_filter.op as keyof typeof OPERATORS]; // the frames have these three
    return { ...query, numbers: [{ column: subject.measure?.expressions[0] ?? '', is, value: number }] };
  }
  if (!means.having) return query;
  const having = [{ measure: subject.name, is: OPERATORS[means.having.op as keyof typeof OPERATORS], value: number }];
  if (means.aggregate !== 'count_groups') return { ...query, having };
  return { ...query, measures: [{ name: counted, aggregate: null, among: null }], dimensions: [], having };
}
