import type { DataQuery } from '../../../schema/data-query.ts';
import { compileQuery } from '../../sql/compile.ts';
import { NotExpressible } from '../../sql/compile-scope.ts';
import type { Draft } from '../draft-shape.ts';
import type { SpaceView } from '../words/lexicon.ts';
import { checkUsed } from './check-used.ts';
import { liftWeak } from './lift-weak.ts';
import { settleAmong, showCompared } from './settle-among.ts';
import { settleConditions } from './settle-conditions.ts';
import { settleGroups } from './settle-groups.ts';
import { settleMeasures } from './settle-measures.ts';
import { settleOrder } from './settle-order.ts';
import { settleShare } from './settle-share.ts';
import { settlePeriods, settleTime } from './settle-time.ts';
import { measureOf, type Settling, startSettling, toQueryMeasure } from './settling.ts';

/** The part of a reading that one space answers. */
interface SpacePart {
  space: string;
  query: DataQuery;
}

/** A way to understand a question. */
export interface Candidate {
  query: DataQuery;
  parts: SpacePart[];
  /** The spaces of its measures. */
  spaces: string[];
  problems: string[];
  assumptions: string[];
  weak: string[];
  /** It changes the query of the last turn. */
  isEdit: boolean;
  /** Steps away from the question that it continues. */
  distance?: number;
  /** Item → the part of the query that it became. */
  roles: ReadonlyMap<number, string>;
}

/** Fits a draft to the models: decides measure, groups, conditions, order, and the space of each measure. */
export function settle(draft: Draft, views: readonly SpaceView[]): Candidate {
  const settling = startSettling(draft, views);
  settleMeasures(settling);
  settleConditions(settling);
  showCompared(settling);
  settleAmong(settling);
  settleGroups(settling);
  settleShare(settling);
  settlePeriods(settling);
  settleOrder(settling);
  settleTime(settling);
  return finishSettling(settling);
}

/** Checks a settled query, chooses its spaces and splits it among them. */
export function finishSettling(settling: Settling): Candidate {
  const { draft, query, problems, assumptions } = settling;
  liftWeak(settling);
  checkAgreement(settling);
  checkUsed(settling);
  chooseSpaces(settling);
  query.measures = settling.measures.map(toQueryMeasure);
  const parts = problems.length === 0 ? splitBySpace(settling) : [];
  if (draft.references.length > 0)
    assumptions.push(`"${draft.references.join('" and "')}" points back in the same sentence`);
  for (const words of draft.soft) assumptions.push(`"${words}" is taken to add nothing`);
  if (draft.isYesNo) assumptions.push('it asks for yes or no; here are the figures');
  const spaces = [...new Set(settling.measures.map(({ space }) => space))];
  return {
    query,
    parts,
    spaces,
    problems,
    assumptions,
    weak: settling.weak,
    isEdit: false,
    roles: settling.parts,
  };
}

/** "How much" asks for an amount, "how many" for a number of things. */
function checkAgreement(settling: Settling): void {
  const { draft, measures } = settling;
  for (const one of measures) {
    const measure = measureOf(settling, one);
    if (!measure) continue;
    if (
      draft.head === 'how_much' &&
      (measure.isRowCount ||
        (measure.kind === 'average' && !draft.markers.has('average') && !/\bper\b/i.test(one.mention?.words ?? '')))
    )
      settling.assumptions.push(`"how much" is read as ${measure.name}`);
    if (
      draft.head === 'how_many' &&
      measures.length === 1 &&
      ['usd', 'percent', 'stars'].includes(measure.unit) &&
      !isCompared(settling, one.name)
    )
      settling.problems.push(`"how many" does not fit ${measure.name}`);
  }
}

function isCompared({ query }: Settling, name: string): boolean {
  return query.having.some(({ measure }) => measure === name);
}

/** A counted table may be in several spaces; the first one that can express everything answers. */
function chooseSpaces(settling: Settling): void {
  for (const one of settling.measures) {
    const measure = measureOf(settling, one);
    if (!measure?.isRowCount) continue;
    const others = settling.views.filter(({ model }) => model.measures.has(one.name)).map(({ model }) => model.space);
    const preferred = settling.measures.find(
      (other) => other !== one && !measureOf(settling, other)?.isRowCount,
    )?.space;
    const fitting = others.filter((space) => canExpress(settling, { ...one, space }));
    one.space = fitting.find((space) => space === preferred) ?? fitting[0] ?? one.space;
  }
}

function canExpress(settling: Settling, one: Settling['measures'][number]): boolean {
  const query = {
    ...settling.query,
    order: null,
    limit: null,
    measures: [toQueryMeasure(one)],
  };
  return problemOf(settling, one.space, query) === undefined;
}

function problemOf({ views }: Settling, space: string, query: DataQuery): string | undefined {
  const view = views.find(({ model }) => model.space === space);
  if (!view) return 'there is no such data';
  try {
    compileQuery(query, { model: view.model, months: view.facts.months });
    return undefined;
  } catch (error) {
    if (error instanceof NotExpressible) return error.message;
    throw error;
  }
}

function isSnapshot(settling: Settling, one: { name: string; space: string }): boolean {
  const measure = measureOf(settling, one);
  const view = settling.views.find(({ model }) => model.space === one.space);
  return view?.model.tables.get(measure?.table ?? '')?.snapshot ?? false;
}

/** Each space computes its own measures, under all conditions and for all groups. */
function splitBySpace(settling: Settling): SpacePart[] {
  const { query, measures } = settling;
  const spaces = [...new Set(measures.map(({ space }) => space))];
  const isShared = spaces.length > 1;
  return spaces.map((space) => {
    const own = measures.filter((one) => one.space === space).map(toQueryMeasure);
    const isRanked = query.order !== null && own.some(({ name }) => name === query.order?.by);
    const rest = isShared && !isRanked ? { order: null, limit: null, limit_within: null } : {};
    const isState =
      (settling.draft.isNow || settling.draft.isCurrent) &&
      isShared &&
      own.every(({ name }) => isSnapshot(settling, { name, space }));
    const part = { ...query, measures: own, ...rest, ...(isState && { period: null, compare: null, grain: null }) };
    const problem = problemOf(settling, space, part);
    if (problem !== undefined) settling.problems.push(problem);
    return { space, query: part };
  });
}
