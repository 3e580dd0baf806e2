import type { Mention } from '../draft-shape.ts';
import { isPerUnit } from '../draft-walk.ts';
import { countNameOf, type Settling } from './settling.ts';

/** Counts the rows of a table. */
export function pickCount(settling: Settling, table: string, mention?: Mention): void {
  const name = countNameOf(settling, table);
  if (name === undefined) {
    settling.problems.push(`rows of ${table} cannot be counted`);
    return;
  }
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
