import { beside, type Draft, isOp, measureOf, NotReadable, rowCount } from './draft.ts';
import type { Op } from './grammar.ts';

/** Rows that a ranking shows where the question gives no number. */
const USUAL_LIMIT = 5;

/** The order that the question asks for, and how many rows. */
export function composeOrder(draft: Draft): void {
  for (const [at, node] of draft.nodes.entries()) {
    if (node.op?.is === 'most') rank(draft, at, node.op);
    if (node.op?.is === 'sorted') {
      setOrder(draft, mainMeasure(draft), node.op.direction);
      draft.used.add(at);
    }
    if (node.sense?.kind === 'measure' && node.sense.end !== undefined && isAmongMeasures(draft, node.sense.name)) {
      setOrder(draft, node.sense.name, node.sense.end);
    }
    if (node.op?.is === 'by') byMeasure(draft, at);
  }
  const target = draft.asked ?? draft.groups[0];
  if (!draft.order) return;
  const isGrouped = target !== undefined || draft.grain !== null;
  if (!isGrouped) throw new NotReadable('it does not say what is ranked');
  const isExplicit = draft.nodes.some(
    (node) => isOp(node, 'most') || (node.sense?.kind === 'measure' && node.sense.end),
  );
  if (draft.limit === null && isExplicit) draft.limit = draft.asked?.isPlural ? USUAL_LIMIT : 1;
  if (draft.limit === null) return;
  const [within] = draft.groups;
  // "The best brand in each region".
  if (draft.asked && within?.dimension !== undefined) draft.within = within.dimension;
  else if (draft.asked && draft.grain !== null) draft.within = 'time';
}

const isAmongMeasures = ({ measures }: Draft, name: string) => measures.some((one) => one.name === name);

function mainMeasure({ measures }: Draft): string {
  return measures[0]?.name ?? '';
}

/** "The most orders", "best rated", "the highest revenue": the figure behind it, before it, or the one that is asked for. */
function rank(draft: Draft, at: number, op: Extract<Op, { is: 'most' }>): void {
  draft.used.add(at);
  const next = beside(draft, at, 1, ['soft', 'place', 'average', 'total', 'how_many']);
  const behind = draft.nodes[next]?.sense;
  const name =
    behind?.kind === 'measure' && isAmongMeasures(draft, behind.name)
      ? behind.name
      : behind?.kind === 'table' && next !== draft.asked?.at
        ? rowCount(draft, behind.table)?.name
        : undefined;
  const by = name !== undefined && isAmongMeasures(draft, name) ? name : mainMeasure(draft);
  if (
    draft.order &&
    draft.order.by === by &&
    draft.order.direction !== op.direction &&
    draft.nodes.filter((node) => isOp(node, 'most')).length > 1
  )
    throw new NotReadable('it asks for both ends at once');
  setOrder(draft, by, directionOf(draft, by, op));
}

/** "Best" depends on what is good. */
function directionOf(draft: Draft, by: string, { direction, word }: Extract<Op, { is: 'most' }>): 'highest' | 'lowest' {
  if (word !== 'best' || measureOf(draft, by).good !== 'down') return direction;
  return direction === 'highest' ? 'lowest' : 'highest';
}

/** "Stores by revenue" ranks them. */
function byMeasure(draft: Draft, at: number): void {
  const next = beside(draft, at, 1, ['soft', 'average', 'total', 'how_many']);
  const { sense } = draft.nodes[next] ?? {};
  const name =
    sense?.kind === 'measure' ? sense.name : sense?.kind === 'table' ? rowCount(draft, sense.table)?.name : undefined;
  if (name === undefined || !isAmongMeasures(draft, name)) return;
  draft.used.add(at);
  if (draft.asked && draft.nodes.some((node) => isOp(node, 'most')))
    setOrder(draft, name, draft.order?.direction ?? 'highest');
  else if (draft.asked) draft.order ??= { by: name, direction: 'highest' };
}

function setOrder(draft: Draft, by: string, direction: 'highest' | 'lowest'): void {
  draft.order = { by, direction };
}
