import { toSingular } from '../model/nouns.ts';
import { beside, type Draft, entityOf, isNegated, isOp, type Node, opAt, rowCount, type Target } from './draft.ts';
import type { Op } from './grammar.ts';

/** Entities with more rows are counted or divided by, not listed. */
export const MANY = 500;

type Role = 'group' | 'counted' | 'asked' | 'bound';

/** Words between a noun and the word that gives it its role: "how many *different new* customers". */
const MODIFIERS: readonly Op['is'][] = ['soft', 'distinct', 'total', 'average', 'now'];

/** Finds what is asked for, grouped by and counted; other tables are bound to them. */
export function composeSubject(draft: Draft): void {
  for (const [at, node] of draft.nodes.entries()) {
    const target = targetAt(draft, at);
    if (!target) {
      groupByKind(draft, at);
      continue;
    }
    const role = roleOf(draft, at, node, target);
    const isKind = node.sense?.kind === 'value' && target.dimension === undefined;
    if (isKind && role !== 'counted') continue;
    if (role === 'bound') {
      if (node.sense?.kind === 'table') bind(draft, at, node.sense.table);
      else if (node.sense?.kind === 'dimension') draft.used.add(at); // checked by the audit
      continue;
    }
    take(draft, role, target);
    if (role === 'group') claimGroup(draft, at);
  }
  claimFirst(draft);
}

/** "Revenue by store", where a store is a sales channel: the groups are the channels. */
function groupByKind(draft: Draft, at: number): void {
  const { sense, item } = draft.nodes[at] ?? {};
  const isEntity = sense?.kind !== 'value' || draft.view.model.dimensions.get(sense.dimension)?.entity !== undefined;
  if (isEntity || opAt(draft, at - 1) !== 'by') return;
  draft.groups.push({ at, dimension: sense.dimension, isPlural: false });
  draft.used.add(at).add(at - 1);
  draft.notes.push(`"${item?.text}" is one of the groups of ${sense.dimension} here`);
  draft.penalty += 2.5;
}

/** Marks the word that makes it a group. */
function claimGroup(draft: Draft, at: number): void {
  for (let place = at - 1; place >= 0; place--) {
    if (['by', 'each', 'per'].includes(opAt(draft, place) ?? '')) {
      draft.used.add(place);
      return;
    }
  }
}

function take(draft: Draft, role: Exclude<Role, 'bound'>, target: Target): void {
  draft.used.add(target.at);
  if (role === 'group') draft.groups.push(target);
  else if (role === 'counted' && !draft.counted) draft.counted = target;
  else if (role === 'asked' && !draft.asked && target.dimension === undefined && !draft.counted) draft.counted = target;
  else if (role === 'asked' && !draft.asked) draft.asked = target;
  else if (target.table !== undefined) bind(draft, target.at, target.table);
}

function bind(draft: Draft, at: number, table: string): void {
  draft.used.add(at);
  draft.bound.push({ at, table, isNegated: isNegated(draft, at) });
}

/** A question that names a thing and asks for nothing else asks for it: "orders above $200", "products out of stock". */
function claimFirst(draft: Draft): void {
  if (draft.asked || draft.counted) return;
  const place = draft.bound.findIndex(({ at, isNegated: no }) => !no && draft.nodes[at]?.sense?.weight !== 0);
  const [first] = place < 0 ? [] : draft.bound.splice(place, 1);
  if (!first) return;
  const target = targetAt(draft, first.at);
  if (!target) return;
  // "Orders above $200, how many?" counts what was named before.
  const last = draft.nodes.findLastIndex((node) => !isOp(node, 'soft', 'verb'));
  const isCount = opAt(draft, last) === 'how_many' && !draft.used.has(last);
  if (isCount) draft.used.add(last);
  const hasMeasure = draft.nodes.some(({ sense }) => sense?.kind === 'measure');
  if (isCount) draft.counted = target;
  else if (hasMeasure) draft.bound.push(first);
  else if (
    target.dimension !== undefined &&
    isShort(draft, target.dimension) &&
    !draft.nodes.some((node) => isOp(node, 'how_many'))
  )
    draft.asked = target;
  else draft.counted = target;
}

/** Many things are counted rather than listed. */
function isShort(draft: Draft, dimension: string): boolean {
  return (draft.view.facts.values.get(dimension)?.length ?? 0) <= MANY;
}

/** The thing at a place that can be a group: a dimension, a table, or a value that names rows, such as stores. */
export function targetAt(draft: Draft, at: number): Target | undefined {
  const { sense, item } = draft.nodes[at] ?? {};
  const last = item?.text.toLowerCase().split(/\s+/).at(-1) ?? '';
  const isPlural = last !== toSingular(last);
  if (sense?.kind === 'table')
    return { at, table: sense.table, dimension: entityOf(draft, sense.table), isPlural: isPlural || last === 'people' };
  if (sense?.kind === 'dimension') {
    const { entity } = draft.view.model.dimensions.get(sense.name) ?? {};
    return { at, dimension: sense.name, table: entity, isPlural };
  }
  if (sense?.kind !== 'value' || !isNounPlace(draft, at)) return undefined;
  const home = draft.view.model.dimensions
    .get(sense.dimension)
    ?.homes.find(({ table }) => entityOf(draft, table) !== undefined);
  const entity = home && entityOf(draft, home.table);
  // The name of a single row is no kind of rows.
  if (entity === sense.dimension) return undefined;
  if (home && entity !== undefined) return { at, table: home.table, dimension: entity, isPlural };
  const [own] = draft.view.model.dimensions.get(sense.dimension)?.homes ?? [];
  return own && isPlural && rowCount(draft, own.table) ? { at, table: own.table, isPlural } : undefined;
}

/** A value stands for rows only where nothing behind it does: "women", but not "female customers". */
function isNounPlace(draft: Draft, at: number): boolean {
  const next = draft.nodes[at + 1];
  return next?.sense === undefined || next.sense.kind === 'measure' || next.sense.kind === 'filter';
}

function roleOf(draft: Draft, at: number, node: Node, target: Target): Role {
  const isValue = node.sense?.kind === 'value';
  // "Who" and "where" ask for their own rows.
  if (node.item.kind === 'thing' && node.item.op?.is === 'ask') return at === 0 ? 'asked' : 'bound';
  // "How do the regions compare".
  const next = draft.nodes[at + 1];
  if (next && isOp(next, 'compare') && target.isPlural && !isValue && target.dimension !== undefined) return 'group';
  for (let place = at - 1; place >= 0; place--) {
    const before = draft.nodes[place];
    if (!before) break;
    const role = roleAfter(draft, place, { node: before, isValue, target });
    if (role) {
      claimDistinct(draft, place, at);
      return role;
    }
    if (place === 0 && isOp(before, 'and')) continue;
    const isModifier = isOp(before, ...MODIFIERS) || before.item.kind === 'number' || before.item.kind === 'unknown';
    const isAdjective =
      before.sense?.kind === 'value' || before.sense?.kind === 'filter' || before.sense?.kind === 'measure';
    if (!isModifier && !isAdjective) return 'bound';
    if (before.sense?.kind === 'measure' && before.sense.end !== undefined) return draft.asked ? 'bound' : 'asked';
    if (before.sense?.kind === 'measure' && !isRanked(draft, place)) return 'bound';
  }
  if (isValue) return 'bound';
  // The first words of a message without a verb of asking.
  if (node.sense?.kind === 'dimension') return 'asked';
  return 'bound';
}

/** "Best rated products", "worst selling category". */
function isRanked(draft: Draft, place: number): boolean {
  const before = draft.nodes[beside(draft, place, -1)];
  return before !== undefined && isOp(before, 'most');
}

interface Looked {
  node: Node;
  isValue: boolean;
  target: Target;
}

/** "How many different customers". */
function claimDistinct(draft: Draft, from: number, to: number): void {
  for (let place = from; place < to; place++) if (opAt(draft, place) === 'distinct') draft.used.add(place);
}

function roleAfter(
  draft: Draft,
  place: number,
  { node: { op, sense, item }, isValue, target }: Looked,
): Role | undefined {
  switch (op?.is) {
    case 'by':
    case 'each':
      return isValue && op.is === 'by' && /^by$/i.test(item.text) ? 'bound' : 'group';
    case 'per':
      return 'group';
    case 'how_many':
    case 'share':
      return 'counted';
    case 'how_much':
      return target.table === undefined ? undefined : 'counted';
    case 'ask':
    case 'list':
      return sense?.kind === 'table' ? undefined : 'asked';
    case 'most':
      return draft.asked || (op.word === 'most' && draft.counted) || target.dimension === undefined ? 'bound' : 'asked';
    case 'and':
      return siblingRole(draft, place);
    default:
      return undefined;
  }
}

/** "By region and segment": the second noun has the role of the first. */
function siblingRole(draft: Draft, place: number): Role | undefined {
  const before = draft.nodes[place - 1];
  // "By month and product".
  if (before?.op?.is === 'grain') return 'group';
  if (before?.sense === undefined) return undefined;
  if (draft.groups.some(({ at }) => at === place - 1)) return 'group';
  if (draft.counted?.at === place - 1 || draft.asked?.at === place - 1) return 'bound';
  return undefined;
}
