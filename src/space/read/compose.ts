import { DataQuery } from '../../schema/data-query.ts';
import type { SpaceView } from '../model/merge-models.ts';
import { composeConditions } from './compose-conditions.ts';
import { composeMeasures } from './compose-measures.ts';
import { composeNumbers } from './compose-numbers.ts';
import { composeOrder } from './compose-order.ts';
import { composeBut, composeShare, composeVersus } from './compose-share.ts';
import { composeSubject, MANY } from './compose-subject.ts';
import { composeGrain, composeTime } from './compose-time.ts';
import { beside, createDraft, type Draft, isOp, measureOf, type Node, NotReadable } from './draft.ts';

/** Builds one query from nodes. Throws `NotReadable`. */
export function compose(view: SpaceView, nodes: readonly Node[]): { query: DataQuery; draft: Draft } {
  const draft = createDraft(view, nodes);
  composeSubject(draft);
  composePer(draft);
  composeGrain(draft);
  composeMeasures(draft);
  composeNumbers(draft);
  composeConditions(draft);
  composeOrder(draft);
  composeTime(draft);
  composeShare(draft);
  composeBut(draft);
  composeVersus(draft);
  checkMeasures(draft);
  return { query: toQuery(draft), draft };
}

/** "Orders per customer" divides; "revenue per category" groups. */
function composePer(draft: Draft): void {
  const at = draft.nodes.findIndex((node) => isOp(node, 'per'));
  if (at < 0) return;
  draft.used.add(at);
  const place = beside(draft, at, 1);
  const index = draft.groups.findIndex((group) => group.at === place);
  const group = draft.groups[index];
  if (!group) throw new NotReadable('it is not clear what "per" divides by');
  const values = draft.view.facts.values.get(group.dimension ?? '')?.length ?? 0;
  const isMean = draft.nodes.some((node) => isOp(node, 'average'));
  if (group.dimension !== undefined && values <= MANY && !(isMean && group.table !== undefined && !group.isPlural))
    return;
  draft.groups.splice(index, 1);
  for (const [other, node] of draft.nodes.entries()) if (isOp(node, 'average')) draft.used.add(other);
  if (group.dimension !== undefined) draft.per = group.dimension;
  else perRow(draft, group.table ?? '');
}

/** "Revenue per order": the mean of its rows. */
function perRow(draft: Draft, table: string): void {
  const at = draft.nodes.findIndex(
    ({ sense }) => sense?.kind === 'measure' && measureOf(draft, sense.name).table === table,
  );
  const { sense } = draft.nodes[at] ?? {};
  if (sense?.kind !== 'measure') throw new NotReadable('it cannot be divided so');
  draft.measures.push({ name: sense.name, aggregate: 'average', among: null, at });
  draft.used.add(at);
}

/** Figures of one query that no group joins must come from one place. */
function checkMeasures(draft: Draft): void {
  if (draft.without && (draft.having.length > 0 || draft.conditions.numbers.length > 0))
    throw new NotReadable('it says what is missing with a number');
  checkAmong(draft);
}

/** "Customers who never abandoned a cart" are not those with a cart that was not abandoned. */
function checkAmong({ measures, conditions, having, bound, asked, counted, groups }: Draft): void {
  const isAmong = measures.some(({ among }) => among !== null);
  const isNegated = [...conditions.filters, ...conditions.named].some(({ negated }) => negated);
  if (isAmong && isNegated) throw new NotReadable('it asks for those that have none of it');
  const target = asked ?? counted ?? groups[0];
  const isOther = bound.some(({ table, isNegated: no }) => !no && table !== target?.table);
  if (having.length > 0 && groups.length > 0 && !asked && !counted && isOther)
    throw new NotReadable('its condition is about other things than its groups');
}

function toQuery(draft: Draft): DataQuery {
  const { grain, having, without, period, compare, share, part, per, within } = draft;
  const targets = [...draft.groups, ...(draft.asked ? [draft.asked] : [])];
  const dimensions = [...new Set(targets.flatMap(({ dimension }) => dimension ?? []))];
  if (targets.some(({ dimension }) => dimension === undefined)) throw new NotReadable('its rows have no names to list');
  const measures = draft.measures.map(({ at: _at, ...measure }) => measure);
  const isCounted = draft.counted !== undefined && dimensions.length === 0;
  const order = draft.order ?? null;
  return DataQuery.parse({
    measures: isCounted && having.length > 0 ? measures.slice(0, 1) : measures,
    dimensions,
    grain,
    ...draft.conditions,
    without,
    having,
    period,
    compare,
    order,
    limit: order ? draft.limit : null,
    limit_within: order && draft.limit !== null ? within : null,
    share,
    part,
    per,
  });
}
