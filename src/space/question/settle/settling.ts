import type { DataQuery, QueryMeasure } from '../../../schema/data-query.ts';
import type { Measure, ModelTable } from '../../model/model.ts';
import type { Draft, Mention } from '../draft-shape.ts';
import type { SpaceView } from '../words/lexicon.ts';

/** A measure that a reading uses, and the space that it is asked from. */
export interface PickedMeasure {
  name: string;
  space: string;
  mention?: Mention | undefined;
  aggregate: 'total' | 'average' | 'highest' | 'lowest' | null;
  among: string | null;
  /** The dimension whose different values are counted. */
  distinct?: string | null | undefined;
}

export function toQueryMeasure({ name, aggregate, among, distinct }: PickedMeasure): QueryMeasure {
  return { name, aggregate, among, ...(distinct != null && { distinct }) };
}

/** A reading in the making: the query so far, and what is held against it. */
export interface Settling {
  draft: Draft;
  views: readonly SpaceView[];
  measures: PickedMeasure[];
  query: DataQuery;
  /** Reasons why the query does not say what the question says. Any of them forbids an answer. */
  problems: string[];
  /** Choices that the question leaves open. Any of them forbids high confidence. */
  assumptions: string[];
  /** Words that are weaker than names. */
  weak: string[];
  /** Item → the part of the query that it became. */
  parts: Map<number, string>;
  /** The query that this question edits. */
  base?: DataQuery | undefined;
  /** Dimensions of the question that this one continues. */
  known: ReadonlySet<string>;
}

const EMPTY_QUERY: Omit<DataQuery, 'measures'> = {
  dimensions: [],
  grain: null,
  filters: [],
  named: [],
  numbers: [],
  without: null,
  having: [],
  period: null,
  compare: null,
  order: null,
  limit: null,
  limit_within: null,
  share: 'none',
  part: null,
  per: null,
};

export function startSettling(draft: Draft, views: readonly SpaceView[]): Settling {
  return {
    draft,
    views,
    measures: [],
    query: { measures: [], ...structuredClone(EMPTY_QUERY) },
    problems: [...draft.problems.map((words) => `"${words}" has no place in it`)],
    assumptions: [],
    weak: [],
    parts: new Map(),
    known: new Set(),
  };
}

export function viewOf({ views }: Settling, space: string): SpaceView | undefined {
  return views.find(({ model }) => model.space === space);
}

export function measureOf(
  settling: Settling,
  { space, name }: Pick<PickedMeasure, 'space' | 'name'>,
): Measure | undefined {
  return viewOf(settling, space)?.model.measures.get(name);
}

export function tableNamed(settling: Settling, name: string): ModelTable | undefined {
  return settling.views.map(({ model }) => model.tables.get(name)).find((table) => table !== undefined);
}

/** The name of the count of a table's rows; undefined for a table without a noun. */
export function countNameOf({ views }: Settling, table: string): string | undefined {
  for (const { model } of views) {
    const found = [...model.measures.values()].find((measure) => measure.isRowCount && measure.table === table);
    if (found) return found.name;
  }
  return undefined;
}

/** The entity by which a table's rows are grouped: its noun. */
export function entityNoun(settling: Settling, table: string): string | undefined {
  const found = tableNamed(settling, table);
  return found?.label === undefined ? undefined : found.names[0];
}
