import type { Conditions, DataQuery, Having, Period, QueryMeasure, ValueFilter } from '../../schema/data-query.ts';
import type { SpaceView } from '../model/merge-models.ts';
import type { Measure } from '../model/model.ts';
import { resolveDimension } from '../model/resolve.ts';
import type { Op } from './grammar.ts';
import type { Item } from './items.ts';
import type { Sense } from './lexicon.ts';

/** An item with the one meaning that is tried. A thing without a sense is its closed word. */
export interface Node {
  item: Item;
  sense?: Sense | undefined;
  op?: Op | undefined;
  /** A measure that is part of the name of another one in the question: "lost the most revenue". */
  like?: string | undefined;
}

/** A reading of these words does not work. The message is for people. */
export class NotReadable extends Error {}

/** A thing that is asked for, grouped by or counted. */
export interface Target {
  at: number;
  /** The name of the dimension to group by; absent for a table without a label. */
  dimension?: string | undefined;
  /** The table whose rows it is. */
  table?: string | undefined;
  isPlural: boolean;
}

export interface Bound {
  at: number;
  comparison: Having['is'];
  value: number;
  item: Extract<Item, { kind: 'number' }>;
}

/** A query that is being built from nodes. The steps fill it one after another. */
export interface Draft {
  view: SpaceView;
  nodes: readonly Node[];
  /** Places whose meaning is part of the query. */
  used: Set<number>;
  asked?: Target | undefined;
  counted?: Target | undefined;
  groups: Target[];
  /** Tables that are named, but neither asked for nor counted: customers who *bought*. */
  bound: { at: number; table: string; isNegated: boolean }[];
  measures: (QueryMeasure & { at: number })[];
  /** The measure that orders, and its place. */
  order?: DataQuery['order'] | undefined;
  limit: number | null;
  within: string | null;
  grain: DataQuery['grain'];
  conditions: Conditions;
  /** Where each condition stands, for shares. */
  places: { at: number; kind: 'filters' | 'named' | 'numbers' | 'having'; index: number }[];
  having: Having[];
  without: DataQuery['without'];
  period: Period | null;
  compare: Period | null;
  share: DataQuery['share'];
  part: Conditions | null;
  per: string | null;
  /** No word of the question names the figure. */
  isImplied: boolean;
  /** Choices that the question leaves open, in words. */
  notes: string[];
  /** Evidence against this reading. */
  penalty: number;
}

export function createDraft(view: SpaceView, nodes: readonly Node[]): Draft {
  return {
    view,
    nodes,
    used: new Set(),
    groups: [],
    bound: [],
    measures: [],
    limit: null,
    within: null,
    grain: null,
    conditions: { filters: [], named: [], numbers: [] },
    places: [],
    having: [],
    without: null,
    period: null,
    compare: null,
    share: 'none',
    part: null,
    per: null,
    isImplied: false,
    notes: [],
    penalty: 0,
  };
}

export const opAt = ({ nodes }: Pick<Draft, 'nodes'>, at: number): Op['is'] | undefined => nodes[at]?.op?.is;

export function isOp({ op }: Node, ...kinds: Op['is'][]): boolean {
  return op !== undefined && kinds.includes(op.is);
}

/** The first place of such a closed word. */
export function findOp({ nodes }: Pick<Draft, 'nodes'>, ...kinds: Op['is'][]): number {
  return nodes.findIndex((node) => isOp(node, ...kinds));
}

const PASSED: readonly Op['is'][] = ['soft', 'place', 'verb', 'now'];

/** The next place in a direction that is no article, preposition or auxiliary. */
export function beside(
  { nodes }: Pick<Draft, 'nodes'>,
  at: number,
  step: 1 | -1,
  passed: readonly Op['is'][] = PASSED,
): number {
  for (let place = at + step; place >= 0 && place < nodes.length; place += step) {
    const node = nodes[place];
    if (node && !isOp(node, ...passed) && node.item.kind !== 'unknown') return place;
  }
  return -1;
}

/** Marks the words of a comparison as read. */
export function claimComparison({ nodes, used }: Draft, ...kinds: Op['is'][]): void {
  for (const [at, node] of nodes.entries())
    if (isOp(node, ...kinds) || /^(?:more|less|better|worse|higher|lower|bigger|ones|both)$/i.test(node.item.text))
      used.add(at);
}

/** "Have not ordered", "not in the West", "except Footwear", "without an order". */
export function isNegated(draft: Draft, at: number): boolean {
  const before = beside(draft, at, -1, ['soft', 'verb', 'place', 'distinct']);
  const node = draft.nodes[before];
  if (!node || !isOp(node, 'not')) return false;
  draft.used.add(before);
  return true;
}

export function measureOf({ view }: Pick<Draft, 'view'>, name: string): Measure {
  const measure = view.model.measures.get(name);
  if (!measure) throw new NotReadable(`there is no measure named ${name}`);
  return measure;
}

export function rowCount({ view }: Pick<Draft, 'view'>, table: string): Measure | undefined {
  return [...view.model.measures.values()].find((one) => one.isRowCount && one.table === table);
}

/** The dimension whose groups are the rows of a table. */
export function entityOf({ view }: Pick<Draft, 'view'>, table: string): string | undefined {
  return [...view.model.dimensions.values()].find((one) => one.entity === table && one.role === undefined)?.name;
}

export function canGroup({ view }: Pick<Draft, 'view'>, table: string, dimension: string): boolean {
  return resolveDimension(view.model, table, dimension) !== undefined;
}

/** Declared measures of a table, then all that reach a dimension; the first one is the usual one. */
export function measuresReaching(draft: Pick<Draft, 'view'>, dimension: string): Measure[] {
  const all = [...draft.view.model.measures.values()].filter(({ isRowCount }) => !isRowCount);
  return all.filter(({ table }) => canGroup(draft, table, dimension));
}

export function baseTable(draft: Draft): string {
  const [first] = draft.measures;
  return first ? (first.among ?? measureOf(draft, first.name).table) : '';
}

export function addMeasure(draft: Draft, name: string, at: number, extra: Partial<QueryMeasure> = {}): void {
  if (draft.measures.some((one) => one.name === name)) return;
  draft.measures.push({ name, aggregate: null, among: null, ...extra, at });
}

export function addFilter(draft: Draft, filter: ValueFilter, at: number): void {
  const { filters } = draft.conditions;
  const index = filters.findIndex((one) => one.dimension === filter.dimension && one.negated === filter.negated);
  const same = filters[index];
  if (same) filters[index] = { ...same, values: [...new Set([...same.values, ...filter.values])] };
  else filters.push(filter);
  draft.places.push({ at, kind: 'filters', index: index < 0 ? filters.length - 1 : index });
}
