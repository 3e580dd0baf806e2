import { canReach } from '../../model/resolve.ts';
import { measureOf, type PickedMeasure, type Settling, tableNamed, viewOf } from './settling.ts';

/** "Products under $40": the price is shown beside the names. */
export function showCompared(settling: Settling): void {
  const { draft, query, measures } = settling;
  const [only] = measures;
  const [number] = query.numbers;
  const isList = draft.mentions.some(({ task, sense }) => task === 'group' && sense.kind === 'noun' && sense.isEntity);
  if (!only || !number || measures.length > 1 || only.mention || !isList) return;
  const own = measureOf(settling, only);
  const column = number.column.replace(`${own?.table}.`, '');
  const all = [...(viewOf(settling, only.space)?.model.measures.values() ?? [])];
  const shown = all.find(({ table, expressions }) => table === own?.table && expressions[0] === column);
  if (own?.isRowCount && shown) only.name = shown.name;
}

/** The space that has the counted table and the conditions, else the one of the measure. */
function viewWithFilters({ views, query, draft }: Settling, { name, space }: PickedMeasure) {
  const has = ({ model }: Settling['views'][number]) =>
    model.measures.has(name) && query.named.every((filter) => model.filters.has(filter.name));
  const tables = draft.mentions.flatMap(({ task, sense }) =>
    task === 'loose' && sense.kind === 'noun' && !sense.isEntity ? [sense.table] : [],
  );
  const isWhole = ({ model }: Settling['views'][number]) => tables.every((table) => model.tables.has(table));
  return (
    views.find((view) => has(view) && isWhole(view)) ??
    views.find(has) ??
    views.find(({ model }) => model.space === space)
  );
}

/** With a location named, a product is one row of its stock; without one it may be several. */
function isPinned({ draft, views }: Settling, counted: string): boolean {
  const isOther = (dimension: string) =>
    views.some(({ model }) => {
      const entity = model.dimensions.get(dimension)?.entity;
      return entity !== undefined && entity !== counted;
    });
  return (
    draft.values.some(({ sense }) => isOther(sense.dimension)) ||
    draft.mentions.some(({ sense }) => sense.kind === 'noun' && sense.isEntity && sense.table !== counted)
  );
}

/** A count of an entity in another table, where a verb or a condition belongs to that table: customers who bought. */
export function settleAmong(settling: Settling): void {
  const [first] = settling.measures;
  if (!first || settling.measures.length > 1) return;
  const measure = measureOf(settling, first);
  if (!measure?.isRowCount) return;
  const view = viewWithFilters(settling, first);
  if (!view) return;
  const rows = settling.query.named.map(({ name }) => view.model.filters.get(name)?.rows?.split('.')[0]);
  const fact = rows.find(
    (table) => table !== undefined && table !== measure.table && canReach(view.model, table, measure.table),
  );
  if (fact !== undefined) {
    first.among = fact;
    if (!isPinned(settling, measure.table))
      settling.assumptions.push(`each of the ${measure.unit} counts once, however often it is so in ${fact}`);
  }
  const thing = settling.draft.mentions.find(
    ({ task, sense }) =>
      task === 'loose' && sense.kind === 'noun' && !sense.isEntity && canReach(view.model, sense.table, measure.table),
  );
  if (thing?.sense.kind === 'noun' && first.among === null && thing.sense.table !== measure.table) {
    first.among = thing.sense.table;
    settling.parts.set(thing.at, `among ${thing.sense.table}`);
    settling.assumptions.push(`each of the ${measure.unit} counts once, however many ${thing.words} it has`);
  }
  const verbs = settling.draft.verbs.filter(({ negated, table }) => !negated && table !== measure.table);
  for (const { table, words, at } of verbs) {
    if (settling.query.having.length > 0) continue;
    if (canReach(view.model, table, measure.table)) {
      first.among = table;
      settling.parts.set(at, `among ${table}`);
    } else if (!canReach(view.model, measure.table, table)) {
      settling.problems.push(
        `"${words}" does not belong to ${tableNamed(settling, measure.table)?.names[0] ?? measure.table}`,
      );
    }
  }
}
