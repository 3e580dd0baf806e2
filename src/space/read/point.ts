import type { DataQuery, Grain, Period, ValueFilter } from '../../schema/data-query.ts';
import type { SpaceModel } from '../model/model.ts';
import { canCompile } from '../sql/compile.ts';
import { type Choice, chooseReading, compileOptions, type Spaces, viewOf } from './choose.ts';
import { entityOf, rowCount } from './draft.ts';
import type { Earlier } from './edit.ts';
import type { Item } from './items.ts';
import { endOf, startOf } from './words/calendar.ts';

export interface Context {
  /** Undefined for the first message of a conversation. */
  earlier: Earlier | undefined;
  spaces: Spaces;
}

export const isTask = (item: Item, ...kinds: string[]) => item.kind === 'op' && kinds.includes(item.op.is);

/** "That month": the period that the last answer is about. "That brand": a noun for the things that it named. */
export function pointBack(said: readonly Item[], context: Context): Item[] {
  return said.map((item, at) => toPronoun(toPeriod(item, context.earlier), said[at - 1], context));
}

export const isPointed = (item: Item) => item.kind === 'period' && /^(?:in )?that\b/i.test(item.period.words);

function toPeriod(item: Item, earlier: Earlier | undefined): Item {
  const isPronoun = item.kind === 'op' && item.op.is === 'pronoun';
  const unit = isPronoun ? /\b(?:day|week|month|quarter|year|period|time)$/i.exec(item.text)?.[0] : undefined;
  const period = unit === undefined ? undefined : timeOf(unit.toLowerCase(), earlier);
  return period ? { ...item, kind: 'period', period: { ...period, words: item.text }, isDoubtful: false } : item;
}

/** The time that a ranking found, or the period of the last question if it is one such unit. */
function timeOf(unit: string, { shownTime = '', parts = [], subject }: Partial<Earlier> = {}): Period | undefined {
  const { grain, period } = parts[0]?.query ?? { grain: null, period: subject?.period ?? null };
  const isAny = unit === 'period' || unit === 'time';
  const from = shownTime.padEnd(10, '-01');
  if (grain && /^\d{4}-\d\d-\d\d$/.test(from))
    return isAny || unit === grain ? { from, to: endOf(grain, from), words: '' } : undefined;
  const isWhole = (one: Period, of: Grain) => one.from === startOf(of, one.from) && one.to === endOf(of, one.from);
  return period && (isAny || isWhole(period, unit as Grain)) ? period : undefined; // the units of `toPeriod`
}

function toPronoun(item: Item, before: Item | undefined, { earlier, spaces }: Context): Item {
  const { shown } = earlier ?? {};
  const isPointed = /^(?:that|this|those|these)$/i.test(before?.text ?? '') && item.kind === 'thing';
  if (!shown || !isPointed || (shown.values.length > 1 && /^th(?:at|is)$/i.test(before?.text ?? ''))) return item;
  const { dimensions } = spaces.merged.model;
  const entity = dimensions.get(shown.dimension)?.entity;
  const isSame = item.senses.some((sense) => {
    if (sense.kind === 'dimension') return sense.name === shown.dimension;
    if (sense.kind === 'table') return sense.table === entity;
    return sense.kind === 'value' && dimensions.get(sense.dimension)?.homes.some(({ table }) => table === entity);
  });
  return isSame ? { ...item, kind: 'op', op: { is: 'pronoun' } } : item;
}

/** The last answer named some things; a breakdown by all values names none. */
export function isPicked({ shown, parts }: Earlier, { merged }: Spaces): boolean {
  const [last] = parts;
  if (!shown || !last || shown.isCut) return false;
  const isEntity = merged.model.dimensions.get(shown.dimension)?.entity !== undefined;
  return (
    last.query.limit !== null ||
    (isEntity && shown.values.length < (merged.facts.values.get(shown.dimension)?.length ?? 0))
  );
}

/** The subject of the last question: the things that its answer showed, or its conditions; and its period. */
export function aboutOf(earlier: Earlier, spaces: Spaces): Partial<DataQuery> {
  const { filters = [], named = [], period = null } = earlier.parts[0]?.query ?? earlier.subject ?? {};
  const { shown } = earlier;
  return shown && isPicked(earlier, spaces)
    ? { filters: [only(shown, shown.values)], period }
    : { filters, named, period };
}

/** "What is their stock?", "which of those are late?": a question of its own about what the last one was about. */
export function askAbout(items: readonly Item[], earlier: Earlier, spaces: Spaces): Choice {
  const about = aboutOf(earlier, spaces);
  const things = isPicked(earlier, spaces) ? earlier.shown : undefined;
  if ([...(about.filters ?? []), ...(about.named ?? [])].length === 0) return { candidates: [] };
  const rest = items.filter((item) => !isTask(item, 'pronoun') && !/^(?:and|only|but)$/i.test(item.text));
  const candidates = chooseReading(rest, spaces).candidates.flatMap((candidate) => {
    const parts = candidate.parts.map(({ space, query }) => {
      const { model } = viewOf(spaces.views, space);
      return { space, query: pointed(query, { about, things, model }) };
    });
    const isPossible = parts.every(({ space, query }) => canCompile(query, compileOptions(spaces, space)));
    return isPossible && !candidate.draft.isImplied
      ? [{ ...candidate, parts, query: parts[0]?.query ?? candidate.query }]
      : [];
  });
  return { candidates, problem: `${things?.dimension ?? 'its subject'} does not belong to that` };
}

interface Pointed {
  about: Partial<DataQuery>;
  things: Earlier['shown'];
  model: SpaceModel;
}

/** Several things are shown one by one, and the period of the last question holds for what happens in time. */
function pointed(query: DataQuery, { about, things, model }: Pointed): DataQuery {
  const { filters = [], named = [], period = null } = about;
  const [first] = query.measures;
  const table = model.tables.get(first?.among ?? model.measures.get(first?.name ?? '')?.table ?? '');
  const isTimed = table?.time !== undefined && !table.snapshot && table.label === undefined;
  const isGrouped = query.dimensions.length > 0 || query.grain !== null || !things || things.values.length === 1;
  return {
    ...query,
    filters: [...query.filters, ...filters],
    named: [...query.named.filter(({ name }) => named.every((one) => one.name !== name)), ...named],
    dimensions: isGrouped ? query.dimensions : [things.dimension],
    period: query.period ?? (isTimed ? period : null),
  };
}

/** "The first one", "which of those", "how many of them": the last question for the things that its answer showed. */
export function pointAt(
  last: DataQuery,
  said: readonly Item[],
  { earlier, spaces }: { earlier: Earlier; spaces: Spaces },
) {
  const view = spaces.merged;
  const { shown = { dimension: '', values: [] } } = earlier;
  const others = last.filters.filter(({ dimension }) => dimension !== shown.dimension);
  const plain = { ...last, order: null, limit: null };
  const at = said.findIndex((item, index) => PLACES.test(item.text) && /^ones?$/i.test(said[index + 1]?.text ?? ''));
  const value = shown.values.at(/last/i.test(said[at]?.text ?? '') ? -1 : 0);
  if (at >= 0 && value !== undefined)
    return { base: { ...plain, filters: [...others, only(shown, [value])] }, items: said.filter((_, i) => i !== at) };
  const [first] = last.measures;
  const counted = view.model.measures.get(first?.name ?? '');
  const points = said.some((item) => isTask(item, 'pronoun'));
  const listed = counted?.isRowCount && last.dimensions.length === 0 ? entityOf({ view }, counted.table) : undefined;
  if (points && listed !== undefined && /^which/i.test(said[0]?.text ?? ''))
    return { base: { ...last, dimensions: [listed] }, items: said };
  const entity = view.model.dimensions.get(last.dimensions[0] ?? '')?.entity;
  const rows = rowCount({ view }, entity ?? '');
  if (!points || !rows || !said.some((item) => isTask(item, 'how_many'))) return { base: last, items: said };
  const among = first?.among ?? (counted?.table === entity ? null : (counted?.table ?? null));
  const measures = [{ name: rows.name, aggregate: null, among }];
  const counting = { ...plain, measures, dimensions: [] };
  // A ranking is its names; a list without one is what its conditions hold for.
  const isRanked = last.limit !== null || last.having.length > 0;
  const ranked = { ...counting, filters: [...others, only(shown, shown.values)], having: [] };
  return { base: isRanked ? ranked : counting, items: said };
}

const PLACES = /^(?:the )?(?:first|last)$/i;

function only({ dimension }: { dimension: string }, values: readonly string[]): ValueFilter {
  return { dimension, values: [...values], negated: false };
}
