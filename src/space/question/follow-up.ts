import type { DataQuery } from '../../schema/data-query.ts';
import { makeDraft } from './draft.ts';
import type { Draft, ReadItem } from './draft-shape.ts';
import { frameOf } from './frames.ts';
import { type Candidate, finishSettling } from './settle/settle.ts';
import { settleConditions } from './settle/settle-conditions.ts';
import { settleGroups } from './settle/settle-groups.ts';
import { settleMeasures } from './settle/settle-measures.ts';
import { settleOrder } from './settle/settle-order.ts';
import { settlePeriods, settleTime } from './settle/settle-time.ts';
import { type Settling, startSettling } from './settle/settling.ts';
import type { SpaceView } from './words/lexicon.ts';

/** The last turn of a conversation, if it answered from data. */
export interface Earlier {
  parts: readonly { space: string; query: DataQuery }[];
  /** Choices that the earlier question left open; they hold for a question that continues it. */
  assumptions: readonly string[];
  /** Dimensions that the message replaces by others: "instead of tier". */
  replaced?: readonly string[] | undefined;
  /** The names that its rows showed, by dimension. */
  shown?: { dimension: string; values: readonly string[] } | undefined;
}

const AND = String.raw`(?:(?:and|but|ok|okay|now|then|so|also)[\s,]+)*`;
/** Words that only say that a message continues the last one. */
const LEAD = new RegExp(
  String.raw`^${AND}(?:what about|how about|how does (?:that|it|this) look(?: like)?(?: for| in)?|what if only|(?:the )?same(?: thing)?(?: but)?(?: only)?(?: for| in| with)?|only(?: for| in| with)?|just(?: for| in| the)?|now(?: for| in)|(?:break|split) (?:(?:it|that|this|them) )?(?:down )?(?=by)|how many of (?:those|them|these)(?: are)?|which (?:of (?:those|them|these)|one)(?: is| has)?|and)\b`,
  'i',
);
const TAIL = /(?:\b(?:please|only|instead(?: of .*)?|too|then|alone|one|ones|again)\b[?.!,\s]*)+$/i;
const POLITE = /^(?:show me|show it|give me)\s+(?=the (?:lowest|highest|bottom|top))/i;

/** The words by which a message says that it continues the last one; undefined if it says nothing of the kind. */
export function followUpLead(text: string): string | undefined {
  return LEAD.exec(text.trim())?.[0];
}

/** The words that the message wants replaced: "tier" of "by region instead of tier". */
export function replacedWords(text: string): string {
  return /\b(?:instead of|rather than|not by)\b(.*)$/i.exec(text)?.[1] ?? '';
}

/** The message without the words that only say that it continues. */
export function stripFollowUp(text: string): string {
  const bare = text.trim().replace(TAIL, '').replace(POLITE, '');
  return bare.replace(LEAD, (lead) => (/ (?:for|in)$/i.test(lead) ? lead.slice(-3) : ' ')).trim();
}

/** Edits the last query: values and periods replace those of the same kind, everything else stays. */
export function editEarlier(
  items: readonly ReadItem[],
  text: string,
  earlier: Earlier,
  views: readonly SpaceView[],
): Candidate {
  const draft = makeDraft(items, text, { isEdit: true });
  const settling = { ...startSettling(draft, views), known: dimensionsOf(earlier) };
  const own = draft.mentions.some(({ task, sense }) => sense.kind === 'measure' || task === 'count');
  if (own) settleMeasures(settling);
  if (settling.measures.length === 0) {
    settling.problems = settling.problems.filter((problem) => !problem.includes('nothing that is measured'));
    const hinted = draft.markers.has('how_many') || draft.markers.has('how_much') ? hintedMeasure(draft) : [];
    if (hinted.length > 0) settling.assumptions.push(`${hinted[0]?.name} is meant`);
    settling.measures =
      hinted.length > 0
        ? hinted
        : earlier.parts.flatMap(({ space, query }) =>
            query.measures.map(({ name, aggregate, among }) => ({
              name,
              space,
              among,
              aggregate: aggregate === 'count' ? null : aggregate,
            })),
          );
  }
  settleConditions(settling);
  settleGroups(settling);
  settlePeriods(settling);
  const base = earlier.parts[0]?.query;
  const before = base && JSON.stringify({ ...base, measures: earlier.parts.flatMap(({ query }) => query.measures) });
  if (base) mergeQuery(settling, draft, withoutReplaced(base, earlier), earlier);
  if (base && draft.markers.has('share')) asShare(settling, base);
  settleOrder(settling);
  if (base && !draft.most) keepRanking(settling, base);
  if (draft.markers.has('reversed')) reverse(settling);
  const measures = settling.measures.map(({ name, aggregate, among }) => ({ name, aggregate, among }));
  if (JSON.stringify({ ...settling.query, measures }) === before)
    settling.problems.push('it changes nothing of the last question');
  settleTime(settling);
  settling.assumptions.push(...earlier.assumptions);
  return { ...finishSettling(settling), frame: `edit ${frameOf(draft)}`, distance: tableChanges(settling, earlier) };
}

/** Measures of another table than those of the last question: "units instead" stays with the rows of that question. */
function tableChanges({ measures, views }: Settling, { parts }: Earlier): number {
  const tableOf = ({ space, name }: { space: string; name: string }) =>
    views.find(({ model }) => model.space === space)?.model.measures.get(name)?.table;
  const known = new Set(
    parts.flatMap(({ space, query }) => query.measures.map(({ name }) => tableOf({ space, name }))),
  );
  return measures.filter((one) => !known.has(tableOf(one))).length;
}

function dimensionsOf({ parts }: Earlier): ReadonlySet<string> {
  return new Set(
    parts.flatMap(({ query }) => [...query.dimensions, ...query.filters.map(({ dimension }) => dimension)]),
  );
}

/** "By region instead of tier" gives up the conditions and groups of the tier. */
function withoutReplaced(base: DataQuery, { replaced = [] }: Earlier): DataQuery {
  return {
    ...base,
    filters: base.filters.filter(({ dimension }) => !replaced.includes(dimension)),
    dimensions: base.dimensions.filter((name) => !replaced.includes(name)),
  };
}

/** "What percentage is that?": the last condition is the part, the rows without it are the whole. */
function asShare(settling: Settling, base: DataQuery): void {
  const { query, assumptions } = settling;
  if (query.share !== 'none' || base.share !== 'none') return;
  const named = query.named.at(-1);
  const filter = query.filters.at(-1);
  if (query.dimensions.length > 0 && !named) {
    query.share = 'of_group';
    return;
  }
  if (!named && !filter) return;
  query.share = 'of_whole';
  query.part = { filters: named || !filter ? [] : [filter], named: named ? [named] : [], numbers: [] };
  query.named = query.named.filter((one) => one !== named);
  if (!named) query.filters = query.filters.filter((one) => one !== filter);
  assumptions.push(`the share of ${named?.name ?? filter?.values.join(' or ')}`);
}

function mergeQuery(settling: Settling, draft: Draft, base: DataQuery, { shown }: Earlier): void {
  const { query } = settling;
  const points = draft.pronouns.some((word) => /^(?:their|them|those|these|they|it|its)$/i.test(word));
  const replaced = new Set(query.filters.map(({ dimension }) => dimension));
  const single = new Set(query.filters.flatMap(({ dimension, negated }) => (negated ? [] : [dimension])));
  query.filters = [...base.filters.filter(({ dimension }) => !replaced.has(dimension)), ...query.filters];
  query.named = [...base.named.filter(({ name }) => !query.named.some((one) => one.name === name)), ...query.named];
  if (query.numbers.length === 0) query.numbers = base.numbers;
  if (query.having.length === 0) query.having = base.having;
  const isState =
    settling.measures.some((one) => one.mention) && settling.measures.every((one) => isSnapshot(settling, one));
  if (!isState) query.period ??= base.period;
  if (query.dimensions.length === 0) query.grain ??= base.grain;
  query.per ??= base.per;
  query.without ??= base.without;
  if (query.share === 'none') {
    query.share = base.share;
    query.part = base.part;
  }
  // A value of the grouped dimension asks for its one figure.
  if (query.dimensions.length === 0) query.dimensions = base.dimensions.filter((name) => !single.has(name));
  const isNew = !query.filters.some(({ dimension }) => dimension === shown?.dimension);
  if (points && shown && isNew && settling.measures.every((one) => one.mention)) {
    query.filters.push({ dimension: shown.dimension, values: [...shown.values], negated: false });
    if (!query.dimensions.includes(shown.dimension)) query.dimensions.push(shown.dimension);
  }
}

/** "The other way round": rows without an order are shown with the highest figure first. */
function reverse({ query, measures, problems }: Settling): void {
  const [first] = measures;
  if (!first || (query.dimensions.length === 0 && !query.grain)) problems.push('one figure has no order');
  else if (query.order) query.order.direction = query.order.direction === 'highest' ? 'lowest' : 'highest';
  else query.order = { by: first.name, direction: 'lowest' };
}

/** "How many are left": a phrase that speaks for a measure, beside no other. */
function hintedMeasure({ items }: Draft): Settling['measures'] {
  const hint = items.find((item) => item.kind === 'content' && item.sense.kind === 'hint');
  if (hint?.kind !== 'content' || hint.sense.kind !== 'hint') return [];
  const { name, space } = hint.sense;
  return [{ name, space, aggregate: null, among: null }];
}

function isSnapshot({ views }: Settling, { space, name }: { space: string; name: string }): boolean {
  const model = views.find((view) => view.model.space === space)?.model;
  return model?.tables.get(model.measures.get(name)?.table ?? '')?.snapshot ?? false;
}

/** The ranking of the last question stays, if its groups are still there and no names were taken from its rows. */
function keepRanking(settling: Settling, base: DataQuery): void {
  const { query } = settling;
  const { order, limit, limit_within } = base;
  const isSame = JSON.stringify(query.dimensions) === JSON.stringify(base.dimensions);
  const hasNames = query.filters.some(({ dimension }) => base.dimensions.includes(dimension));
  const [first] = settling.measures;
  if (!order || !isSame || hasNames || !first) return;
  const by = settling.measures.some(({ name }) => name === order.by) ? order.by : first.name;
  Object.assign(query, { order: { ...order, by }, limit, limit_within });
}
