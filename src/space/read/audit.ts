import type { DataQuery } from '../../schema/data-query.ts';
import { type Draft, type Node, NotReadable } from './draft.ts';

/** Closed words that must be visible in the query. */
const MEANT: readonly string[] =
  'by each distinct not most bound bound_after between change versus compare grain operator pronoun share sorted when'.split(
    ' ',
  );

/**
 * Checks that everything the question says is in the query: each thing, number, negation, average, operator and period.
 * It looks at the words and the query alone, not at how one became the other.
 */
export function auditDraft({ nodes, used, view }: Draft, query: DataQuery): void {
  const kinds = query.measures.map(({ name, aggregate }) => aggregate ?? view.model.measures.get(name)?.kind);
  const isAmong = query.measures.some(({ among }) => among !== null);
  for (const [at, node] of nodes.entries()) {
    const { item, sense, op } = node;
    const said = `"${item.text}"`;
    if (sense && !used.has(at)) throw new NotReadable(`${said} has no place in it`);
    if (sense && !isVisible(node, query, view.model))
      throw new NotReadable(`${said} is not part of what would be computed`);
    if (item.kind === 'number' && !used.has(at)) throw new NotReadable(`it is not clear what ${item.text} is for`);
    if (
      op?.is === 'average' &&
      !kinds.some((kind) => kind === 'average' || kind === 'share' || kind === 'ratio') &&
      query.per === null
    )
      throw new NotReadable('an average of that is not known');
    if (op && MEANT.includes(op.is) && !used.has(at) && !isHarmless(nodes, at, isAmong))
      throw new NotReadable(
        op.is === 'by' ? `it cannot be given by "${nodes[at + 1]?.item.text ?? ''}"` : `I cannot compute ${said} here`,
      );
  }
}

/** A message that changes the last question: each of its words must have changed something. */
export function auditEdit({ nodes, used }: Draft): void {
  for (const [at, { sense, op, item }] of nodes.entries()) {
    const isLead =
      op?.is === 'pronoun' || (op?.is === 'operator' && /^(?:only|but|other|both|first|last|again)$/i.test(item.text));
    if (sense && !used.has(at)) throw new NotReadable(`"${item.text}" has no place in it`);
    if (item.kind === 'number' && !used.has(at)) throw new NotReadable(`it is not clear what ${item.text} is for`);
    if (op && MEANT.includes(op.is) && !used.has(at) && !isLead)
      throw new NotReadable(`I cannot compute "${item.text}" here`);
  }
}

/** "Over all stores", "only in the West": words of a limit that bound nothing. */
function isHarmless(nodes: readonly Node[], at: number, isAmong: boolean): boolean {
  const { item, op } = nodes[at] ?? {};
  const next = nodes[at + 1];
  if (op?.is === 'bound') return /^(?:over|under|above)$/i.test(item?.text ?? '') && next?.item.kind !== 'number';
  if (op?.is === 'by' || op?.is === 'each') return isClear(nodes, at);
  if (op?.is === 'distinct') return nodes.every(({ sense }) => sense?.kind !== 'table');
  // "But just Gold members".
  if (/^but$/i.test(item?.text ?? '')) return /^(?:just|only)$/i.test(next?.item.text ?? '');
  if (op?.is === 'operator') return /^(?:only|both)$/i.test(item?.text ?? '') && !isAmong;
  const isBefore = nodes.slice(0, at).some(({ sense }) => sense !== undefined && sense.kind !== 'filter');
  // "Which product, and what does it cost".
  if (/^it$/i.test(item?.text ?? '') && !nodes.slice(0, at).some(({ op: before }) => before?.is === 'and'))
    return false;
  return (
    op?.is === 'pronoun' && /^(?:its|it|their|they|is that|was that|is it|was it)$/i.test(item?.text ?? '') && isBefore
  );
}

/** "By theft", "for each of them": a value that can mean nothing else, or no thing at all. */
function isClear(nodes: readonly Node[], at: number): boolean {
  const next = nodes.slice(at + 1).find(({ op }) => op?.is !== 'soft');
  if (next?.item.kind !== 'thing') return next === undefined || next.op !== undefined || next.item.kind === 'period';
  const dimensions = new Set(next.item.senses.map((sense) => (sense.kind === 'value' ? sense.dimension : sense.kind)));
  return dimensions.size === 1;
}

function isVisible({ sense }: Node, query: DataQuery, model: Draft['view']['model']): boolean {
  const filters = [...query.filters, ...(query.part?.filters ?? []), ...(query.without?.filters ?? [])];
  const dimensions = [
    ...query.dimensions,
    query.per,
    ...filters.map(({ dimension }) => dimension),
    ...query.measures.map(({ distinct }) => distinct),
  ];
  const measures = [...query.measures.map(({ name }) => name), ...query.having.map(({ measure }) => measure)];
  switch (sense?.kind) {
    case 'measure': {
      const own = model.measures.get(sense.name);
      const column = `${own?.table}.${own?.expressions[0]}`;
      const numbers = [...query.numbers, ...(query.part?.numbers ?? [])];
      const isAmong = query.measures.some(({ among }) => among === own?.table);
      const where = Object.values(own?.where ?? {}).map(String);
      const isPart =
        where.length > 0 && where.every((value) => query.part?.filters.some(({ values }) => values.includes(value)));
      return (
        measures.some((name) => name === sense.name || name === own?.overTime) ||
        numbers.some((one) => one.column === column) ||
        isAmong ||
        isPart
      );
    }
    case 'dimension':
      return dimensions.some(
        (name) =>
          name === sense.name ||
          name?.endsWith(` ${sense.name}`) ||
          model.dimensions.get(name ?? '')?.role === sense.name,
      );
    case 'value':
      return (
        filters.some(({ values }) => sense.values.every((value) => values.includes(value))) ||
        dimensions.includes(sense.dimension) ||
        (query.part?.named ?? []).some(({ name }) => String(model.filters.get(name)?.is) === sense.values[0])
      );
    case 'filter':
      return [...query.named, ...(query.part?.named ?? [])].some(({ name }) => name === sense.name);
    default:
      return true;
  }
}
