import { DataQuery, type ValueFilter } from '../../schema/data-query.ts';
import type { SpaceView } from '../model/merge-models.ts';
import { canCompile } from '../sql/compile.ts';
import type { ReadPart, Spaces } from './choose.ts';
import { MANY } from './compose-subject.ts';
import { periodBefore } from './compose-time.ts';
import { entityOf } from './draft.ts';
import type { Earlier } from './edit.ts';
import type { Item } from './items.ts';

const REASON = /\b(?:why|how come|what (?:is|was) the reason|reasons? (?:for|why))\b/i;
const SUMMARY =
  /\b(?:summary|summari[sz]e|overview|how (?:are|is|were|was|did|do|does)\b.*\b(?:doing|do|performing|perform|going|looking|look)\b)|^how (?:did|do|are) we (?:do|doing)\b|^how(?:'s| is| was) (?:the )?business\b/i;
const PER_SPACE = 3;
const SHOWN = 5;

interface Overview {
  parts: ReadPart[];
  notes: string[];
}

/** "Why …", "how are we doing with …", "a summary of …": the key figures of the subject from every space that has them. */
export function readOverview(
  text: string,
  items: readonly Item[],
  { spaces, about }: { spaces: Spaces; about: Partial<DataQuery> | undefined },
): Overview | undefined {
  const asksWhy = REASON.test(text);
  if (!asksWhy && !SUMMARY.test(text)) return undefined;
  const isNamed = items.some((item) => item.kind === 'thing' && item.senses.some(({ kind }) => kind === 'measure'));
  if (!asksWhy && isNamed) return undefined;
  // A name that the data does not have: another subject would be shown.
  if (items.some((item, at) => item.kind === 'unknown' && at > 0 && /^\p{Lu}/u.test(item.text))) return undefined;
  const isBare = items.every(({ kind }) => kind === 'op' || kind === 'unknown');
  const base = (asksWhy && isBare && about) || baseQuery(items, spaces);
  const parts: ReadPart[] = [];
  for (const view of spaces.views) parts.push(...partOf(view, base, parts.length === 0));
  if (parts.length === 0) return undefined;
  return {
    parts,
    notes: [asksWhy ? 'the data shows figures, not reasons' : 'these are the first figures of each subject'],
  };
}

/** The groups, values and periods that the question names. */
export function baseQuery(items: readonly Item[], { merged }: Spaces): Partial<DataQuery> {
  const periods = items.flatMap((item) => (item.kind === 'period' ? [item.period] : []));
  const [later, earlier] = periods.toSorted((a, b) => (a.from < b.from ? 1 : -1));
  // "Why did revenue drop in October?"
  const isChange = items.some((item) => item.kind === 'op' && item.op.is === 'change');
  const before = earlier ?? (later && isChange ? periodBefore(later) : undefined);
  const read = items.map((item) => subjectOf(item, merged));
  const filters = read.flatMap(({ filter }) => filter ?? []);
  const groups = read.flatMap(({ group }) => group ?? []);
  const isRanked = items.some((item) => (item.kind === 'op' || item.kind === 'thing') && item.op?.is === 'most');
  const [group] = groups;
  return {
    ...(later && { period: later }),
    ...(later && before && { compare: before }),
    filters,
    ...(group !== undefined && isRanked && { dimensions: [group] }),
  };
}

interface Subject {
  group?: string;
  filter?: ValueFilter;
}

/** A thing that the figures are given for: its groups, a value, or both, such as stores. */
function subjectOf(item: Item, { model, facts }: SpaceView): Subject {
  if (item.kind !== 'thing' || item.op?.is === 'most') return {};
  const nameOf = (table: string) => {
    const name = entityOf({ view: { model, facts } }, table);
    return name !== undefined && (facts.values.get(name)?.length ?? 0) <= MANY ? name : undefined;
  };
  for (const sense of item.senses) {
    if (sense.kind === 'dimension') return { group: sense.name };
    const group = sense.kind === 'table' ? nameOf(sense.table) : undefined;
    if (group !== undefined) return { group };
  }
  const values = item.senses.filter((sense) => sense.kind === 'value' && sense.weight > 1);
  const kind = values.find(
    (sense) =>
      sense.kind === 'value' && nameOf(model.dimensions.get(sense.dimension)?.homes[0]?.table ?? '') !== undefined,
  );
  const value = kind ?? values[0];
  if (value?.kind !== 'value') return {};
  const filter = { dimension: value.dimension, values: [...value.values], negated: false };
  const group = nameOf(model.dimensions.get(value.dimension)?.homes[0]?.table ?? '');
  return group !== undefined && kind && group !== value.dimension ? { group, filter } : { filter };
}

/** The first declared figures of a space that can be given for the subject. */
function partOf({ model, facts }: SpaceView, base: Partial<DataQuery>, isFirst: boolean): ReadPart[] {
  const queryOf = (names: readonly string[]): DataQuery =>
    DataQuery.parse({
      ...base,
      measures: names.map((name) => ({ name })),
      ...(isFirst && base.dimensions && { order: { by: names[0], direction: 'highest' }, limit: SHOWN }),
    });
  const names: string[] = [];
  for (const { name, isLevel, kind } of model.measures.values()) {
    if (names.length >= PER_SPACE || isLevel || kind === 'highest') continue;
    if (canCompile(queryOf([name]), { model, months: facts.months })) names.push(name);
  }
  return names.length > 0 ? [{ space: model.space, query: queryOf(names) }] : [];
}

/** "Show me performance", "which are best?": no figure, no thing, and nothing to continue. */
export function asksOpenly(items: readonly Item[], earlier: Earlier | undefined): boolean {
  const isNamed = items.some((item) => item.kind === 'thing' || item.kind === 'number');
  if (isNamed || (earlier && !items.some(({ text }) => /^performance$/i.test(text)))) return false;
  return items.some(({ text }) => /^(?:performance|kpis?|best|worst|top|figures|numbers)$/i.test(text));
}

export function openChoices(views: readonly SpaceView[]): string[] {
  return views.flatMap(({ model }) => [...model.measures.keys()].slice(0, 2));
}
