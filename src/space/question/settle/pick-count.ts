import type { Mention } from '../draft-shape.ts';
import { isPerUnit } from '../draft-walk.ts';
import { countNameOf, measureOf, type Settling } from './settling.ts';

/** Counts the rows of a table. */
export function pickCount(settling: Settling, table: string, mention?: Mention): void {
  const name = countNameOf(settling, table);
  if (name === undefined) {
    settling.problems.push(`rows of ${table} cannot be counted`);
    return;
  }
  const isPieces = mention?.sense.kind === 'noun' && mention.sense.isValue && namesPieces(settling, mention.at);
  if (isPieces && pickUnits(settling)) return;
  if (mention) settling.parts.set(mention.at, `measure ${name}`);
  if (mention?.sense.kind === 'noun' && mention.sense.isShort) settling.weak.push(mention.words);
  const isValue = mention?.sense.kind === 'noun' ? mention.sense.isValue : mention === undefined;
  if (isValue && namesPieces(settling, mention?.at))
    settling.assumptions.push(`different ${table} are counted, not their units`);
  if (mention?.average && !perEntity(settling.draft, mention) && !isPerUnit(settling.draft))
    settling.problems.push(`an average of ${name} needs "per"`);
  const spaces = settling.views.filter(({ model }) => model.tables.has(table)).map(({ model }) => model.space);
  settling.measures.push({ name, space: spaces[0] ?? '', mention, aggregate: null, among: null });
}

/** "How many bags did we sell", "ordered the fewest dresses": beside a verb of events, pieces are their units. */
function pickUnits(settling: Settling): boolean {
  const { draft, views } = settling;
  const isUnits = (space: string, table: string | undefined, name?: string) =>
    [...(views.find(({ model }) => model.space === space)?.model.measures.values() ?? [])].find(
      (one) =>
        one.table === table && one.unit === 'units' && one.kind === 'sum' && (name === undefined || one.name === name),
    );
  const isSold = draft.mentions.some(
    ({ sense }) =>
      sense.kind === 'measure' &&
      sense.strength === 'verb' &&
      isUnits(sense.space, tableOf(settling, sense), sense.name),
  );
  if (isSold) return true;
  const [verb] = draft.verbs;
  if (!verb || verb.negated || draft.numbers.length > 0) return false;
  for (const { model } of views) {
    const measure = isUnits(model.space, verb.table);
    if (!measure) continue;
    settling.measures.push({ name: measure.name, space: model.space, aggregate: null, among: null });
    settling.parts.set(verb.at, `measure ${measure.name}`);
    settling.assumptions.push(`the units are counted, not different things`);
    return true;
  }
  return false;
}

function tableOf(settling: Settling, sense: { space: string; name: string }): string | undefined {
  return measureOf(settling, sense)?.table;
}

/** "How many orders does a Gold customer place on average": the average runs over the thing in the singular. */
function perEntity({ mentions }: Settling['draft'], counted: Mention): boolean {
  if (mentions.some(({ task }) => task === 'per')) return true;
  const single = mentions.find(
    ({ task, sense, isPlural, at }) =>
      task === 'loose' && sense.kind === 'noun' && sense.isEntity && !isPlural && at !== counted.at,
  );
  if (single) single.task = 'per';
  return single !== undefined;
}

/** "How many shoes": a value that names pieces may ask for the products or for their units. */
function namesPieces({ draft, views }: Settling, at: number | undefined): boolean {
  const value = at === undefined ? draft.values[0] : draft.values.find((one) => one.at === at);
  return views.some(({ model }) => model.dimensions.get(value?.sense.dimension ?? '')?.pieces === true);
}
