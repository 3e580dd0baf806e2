import { canReach } from '../model/resolve.ts';
import {
  addMeasure,
  beside,
  canGroup,
  type Draft,
  entityOf,
  isOp,
  measureOf,
  measuresReaching,
  NotReadable,
  rowCount,
} from './draft.ts';

/** Decides which figures are computed. */
export function composeMeasures(draft: Draft): void {
  composeAverages(draft);
  for (const [at, { sense }] of draft.nodes.entries())
    if (sense?.kind === 'measure' && !isBoundNumber(draft, at)) {
      addMeasure(draft, sense.name, at);
      draft.used.add(at);
    }
  askSubject(draft);
  // "Top 5 customers by orders" are ranked by the number of their orders.
  draft.groups = draft.groups.filter(({ at, table = '', dimension }) => {
    const count = draft.asked && dimension === undefined ? rowCount(draft, table) : undefined;
    if (count) addMeasure(draft, count.name, at);
    return !count;
  });
  if (draft.counted) countTarget(draft);
  if (draft.measures.length > 0) return;
  const implied = impliedMeasure(draft);
  if (implied === undefined) throw new NotReadable('it names nothing that is measured');
  addMeasure(draft, implied, -1);
}

/** "What do people complain about?": the subject of the counted rows is asked for. */
function askSubject(draft: Draft): void {
  const [first] = draft.measures;
  const isAsked = draft.nodes.some((node, at) => at < 3 && isOp(node, 'ask') && /^what$/i.test(node.item.text));
  if (!first || !isAsked || draft.asked || measureOf(draft, first.name).kind !== 'count') return;
  const about = draft.nodes.findIndex(({ item }) => /\babout$/i.test(item.text));
  const subject = [...draft.view.model.dimensions.values()].find(({ synonyms }) => synonyms.includes('about'));
  const isMost = draft.nodes.some((node) => isOp(node, 'most'));
  if (!subject || (about < 0 && !isMost) || !canGroup(draft, measureOf(draft, first.name).table, subject.name)) return;
  if (draft.nodes.some(({ sense }) => sense?.kind === 'value' && sense.dimension === subject.name)) return;
  draft.asked = { at: about, dimension: subject.name, isPlural: !isMost };
  if (about >= 0) draft.used.add(about);
}

/** "Products with a rating above 4": the figure beside a bound is a condition, if something else is asked for. */
function isBoundNumber(draft: Draft, at: number): boolean {
  if (!draft.counted) return false;
  const isNumber = (place: number) => draft.nodes[place]?.item.kind === 'number';
  const next = beside(draft, at, 1);
  const behind = draft.nodes[next];
  if (behind && isOp(behind, 'bound', 'between') && isNumber(beside(draft, next, 1))) return true;
  const before = beside(draft, at, -1);
  const bound = draft.nodes[beside(draft, before, -1, ['soft'])];
  return isNumber(before) && bound !== undefined && isOp(bound, 'bound', 'between') && draft.counted !== undefined;
}

/** "How many customers": its rows, or the different values of a dimension: "how many brands". */
function countTarget(draft: Draft): void {
  const { counted } = draft;
  if (!counted) return;
  const { table, dimension } = counted;
  const others = draft.measures.filter(({ at }) => at > counted.at);
  if (table === undefined && dimension !== undefined) {
    const home = draft.view.model.dimensions.get(dimension)?.homes[0]?.table ?? '';
    const count = rowCount(draft, home);
    if (!count) throw new NotReadable(`${dimension} cannot be counted`);
    addMeasure(draft, count.name, counted.at, { distinct: dimension });
    return;
  }
  const own = rowCount(draft, table ?? '');
  if (!own) throw new NotReadable('this cannot be counted');
  // A verb beside a counted thing is a condition: how many customers *spent*. The figure itself is not asked for.
  draft.measures = draft.measures.filter((one) => !others.includes(one) || isJoined(draft, one.at));
  for (const { at, name } of others) {
    if (isJoined(draft, at)) continue;
    draft.used.add(at);
    const other = measureOf(draft, name).table;
    if (other !== table) draft.bound.push({ at, table: other, isNegated: false });
  }
  const bound = draft.bound.filter(({ isNegated, table: other }) => !isNegated && other !== table);
  const among = bound.find(({ table: other }) => canReach(draft.view.model, other, table ?? ''));
  draft.measures.unshift({
    name: own.name,
    aggregate: null,
    among: among?.table ?? conditionTable(draft, table ?? '') ?? null,
    at: counted.at,
  });
}

/** "Products out of stock at this store": among the rows of the condition, if only those have the other conditions. */
function conditionTable(draft: Draft, own: string): string | undefined {
  const dimensions = draft.nodes.flatMap(({ sense }) => (sense?.kind === 'value' ? [sense.dimension] : []));
  dimensions.push(...draft.groups.flatMap(({ dimension }) => dimension ?? []));
  if (dimensions.every((name) => canGroup(draft, own, name))) return undefined;
  const tables = draft.nodes.flatMap(({ sense }) => (sense?.kind === 'filter' ? tableOf(draft, sense.name) : []));
  return tables.find(
    (table) => canReach(draft.view.model, table, own) && dimensions.every((name) => canGroup(draft, table, name)),
  );
}

/** The table whose rows a condition is about. */
function tableOf({ view }: Draft, name: string): string {
  const { rows, columns } = view.model.filters.get(name) ?? {};
  return /([a-z]\w*)\./.exec(rows ?? columns?.[0] ?? '')?.[1] ?? '';
}

/** "Number of reviews and average rating". */
function isJoined(draft: Draft, at: number): boolean {
  const before =
    draft.nodes[
      beside(draft, at, -1, ['soft', 'average', 'total', 'place', 'how_much', 'ask', 'verb', 'pronoun', 'how_many'])
    ];
  return before !== undefined && isOp(before, 'and');
}

/** The figure that a question without one asks for. A choice among several is said. */
function impliedMeasure(draft: Draft): string | undefined {
  draft.isImplied = true;
  const { asked, groups } = draft;
  const target = asked ?? groups[0];
  // "Which product do customers buy most often": the first table with these groups; without "often" only the first one.
  const isOften = draft.nodes.some(({ item }) => /\b(?:often|frequently)$/i.test(item.text));
  const bound = draft.bound.filter(({ isNegated }) => !isNegated).slice(0, isOften ? undefined : 1);
  const counts = bound.flatMap(({ table }) => rowCount(draft, table) ?? []);
  const fits = counts.find(({ table }) => !target?.dimension || canGroup(draft, table, target.dimension));
  if (fits) return fits.name;
  if (!target) return conditionMeasure(draft);
  const filtered = filteredMeasure(draft, target.dimension);
  if (filtered !== undefined) return filtered;
  const isRanked = draft.nodes.some((node) => isOp(node, 'most', 'sorted', 'change', 'compare'));
  if (isRanked && target.dimension !== undefined) return usualMeasure(draft, target.dimension);
  draft.penalty += 1;
  const home = draft.view.model.dimensions.get(target.dimension ?? '')?.homes[0]?.table ?? '';
  return rowCount(draft, target.table ?? home)?.name;
}

/** "Top 5 customers", "the best category": by the first measure that reaches them. */
function usualMeasure(draft: Draft, dimension: string): string {
  const conditions = draft.nodes.flatMap(({ sense }) => (sense?.kind === 'value' ? [sense.dimension] : []));
  const reaching = measuresReaching(draft, dimension).filter(({ table }) =>
    conditions.every((name) => canGroup(draft, table, name)),
  );
  // "Which products are stolen most": the rows that have the condition are counted.
  const [condition] = conditions;
  const home = draft.view.model.dimensions
    .get(condition ?? '')
    ?.homes.find(({ table }) => entityOf(draft, table) === undefined);
  const rows = home && rowCount(draft, home.table);
  const first = rows && canGroup(draft, rows.table, dimension) ? rows : reaching[0];
  if (!first) throw new NotReadable(`no figure can be given by ${dimension}`);
  draft.notes.push(`by ${first.name}, because the question names no figure`);
  draft.penalty += 2;
  return first.name;
}

/** A condition on the figures of another table is shown with those figures: low in stock with the stock. */
function filteredMeasure(draft: Draft, dimension: string | undefined): string | undefined {
  for (const { sense } of draft.nodes) {
    if (sense?.kind !== 'filter') continue;
    const { where, rows, columns } = draft.view.model.filters.get(sense.name) ?? {};
    const [, table = '', column = ''] = /([a-z]\w*)\.(\w+)/.exec(where ?? rows ?? columns?.[0] ?? '') ?? [];
    const shown = [...draft.view.model.measures.values()].find(
      (one) => one.table === table && one.expressions[0] === column && one.kind === 'sum',
    );
    if (where !== undefined && shown) {
      draft.order ??= { by: shown.name, direction: /<|=/.test(where) ? 'lowest' : 'highest' };
      return shown.name;
    }
    const count = rowCount(draft, table);
    if (!count || dimension === undefined || !canGroup(draft, table, dimension)) continue;
    if (columns === undefined) draft.order ??= { by: count.name, direction: 'highest' };
    return count.name;
  }
  return undefined;
}

/** "How many are out of stock?": the rows that the condition is about. */
function conditionMeasure(draft: Draft): string | undefined {
  for (const [at, { sense }] of draft.nodes.entries()) {
    if (sense?.kind !== 'filter') continue;
    const filter = draft.view.model.filters.get(sense.name);
    const table = filter?.of ?? tableOf(draft, sense.name);
    const count = rowCount(draft, table);
    if (!count) continue;
    draft.penalty += 1;
    if (filter?.of !== undefined && !draft.nodes.some((node) => isOp(node, 'how_many', 'share'))) {
      const dimension = entityOf(draft, table);
      draft.asked = { at, table, dimension, isPlural: true };
      return filteredMeasure(draft, dimension) ?? count.name;
    }
    return count.name;
  }
  return undefined;
}

/** "Average revenue": the mean of its rows. */
function composeAverages(draft: Draft): void {
  for (const [at, node] of draft.nodes.entries()) {
    if (!isOp(node, 'average', 'total')) continue;
    const next = beside(draft, at, 1, ['soft', 'place', 'grain', 'verb', 'how_many']);
    const before = beside(draft, at, -1, ['soft', 'verb', 'place']);
    const place = [next, before].find((one) => draft.nodes[one]?.sense?.kind === 'measure') ?? -1;
    const sense = draft.nodes[place]?.sense;
    if (sense?.kind !== 'measure') continue;
    const measure = measureOf(draft, sense.name);
    const isAverage = node.op?.is === 'average';
    const isMean = ['average', 'share', 'ratio'].includes(measure.kind);
    if (!isAverage && isMean && measure.currency === undefined)
      throw new NotReadable(`${measure.name} is an average and has no total`);
    if (isAverage && measure.kind === 'count') continue; // divided below
    if (isAverage === isMean) {
      draft.used.add(at);
      continue;
    }
    if (draft.grain || draft.nodes.some((one) => isOp(one, 'per', 'grain'))) continue;
    addMeasure(draft, measure.name, place, { aggregate: isAverage ? 'average' : 'total' });
    draft.used.add(at).add(place);
  }
}
