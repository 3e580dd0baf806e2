import type { Mention } from './draft-shape.ts';
import { has, isNot, type Walk } from './draft-walk.ts';

/** The part that a mention plays, by the words before it. */
export function taskOf(walk: Walk, sense: Mention['sense']): Pick<Mention, 'task' | 'by'> {
  const { draft } = walk;
  const isMeasure = sense.kind === 'measure';
  if (has(walk, 'per')) return { task: isMeasure ? 'measure' : 'per', by: 'per' };
  // "Top 10 customers by number of orders".
  const last = walk.pending.at(-1);
  if (has(walk, 'by') && last?.kind === 'how_many' && sense.kind === 'noun') return { task: 'count', by: 'by' };
  if (walk.joinsGroup && !isMeasure && sense.kind === 'dimension') return { task: 'group', by: 'by' };
  if (walk.joinsGroup && sense.kind === 'noun' && sense.isEntity && walk.pending.length === 0)
    return { task: 'group', by: 'by' };
  if (has(walk, 'by') || has(walk, 'each'))
    return { task: isMeasure ? 'measure' : 'group', by: has(walk, 'by') ? 'by' : 'each' };
  if (has(walk, 'not') && sense.kind === 'noun' && !isNegatedValue(walk)) return { task: 'without', by: 'not' };
  if (has(walk, 'not') && sense.kind === 'dimension' && !isBoundAhead(walk, sense.name))
    return { task: 'missing', by: 'not' };
  const isSold = sense.kind === 'measure' && sense.strength === 'verb';
  if (isMeasure && has(walk, 'not') && isLacking(walk, isSold)) return { task: 'without', by: 'not' };
  if (isMeasure) return { task: 'measure' };
  if (has(walk, 'how_many') || has(walk, 'share')) {
    return sense.kind === 'noun' ? { task: 'count', by: 'how_many' } : { task: 'count', by: 'how_many' };
  }
  if (has(walk, 'most')) {
    const hasGroup = draft.mentions.some(
      ({ task, sense: other }) => task === 'group' || (task === 'loose' && other.kind !== 'measure'),
    );
    if (sense.kind === 'noun' && (hasGroup || !sense.isEntity)) return { task: 'count', by: 'most' };
    return { task: 'group', by: 'most' };
  }
  if (draft.asksObject) return { task: 'loose' };
  if (has(walk, 'which') || has(walk, 'list')) return { task: 'group', by: has(walk, 'which') ? 'which' : 'list' };
  return { task: 'loose' };
}

/** "Not counting theme Price": the value behind the dimension is excluded. */
function isBoundAhead({ draft, last }: Walk, name: string): boolean {
  const at = last ? draft.items.indexOf(last) + 1 : 0;
  const next = draft.items.slice(at).find((item) => item.kind === 'content' && item.sense.kind === 'value');
  const isAhead = next?.kind === 'content' && next.sense.kind === 'value' && next.sense.dimension === name;
  return isAhead || draft.values.some(({ sense, negated }) => negated && sense.dimension === name);
}

/** "Products with no negative review": things that have nothing of a measure. */
function isLacking({ draft }: Walk, isVerb: boolean): boolean {
  const not = draft.items.findLast(isNot);
  const hasThings = draft.mentions.some(({ sense }) => sense.kind === 'noun' && sense.isEntity);
  return hasThings && (isVerb || /^(?:no|never|nothing|without)$/i.test(not?.words ?? ''));
}

/** "Excluding Gold members": the value is excluded, and the noun behind it only says what it is. */
function isNegatedValue({ draft, last }: Walk): boolean {
  const value = draft.values.at(-1);
  const not = draft.items.findLast((item, at) => at < (value?.at ?? 0) && isNot(item));
  const isNone = /^(?:no|never)$/i.test(not?.words ?? '');
  return value?.negated === true && !isNone && last?.kind === 'content' && last.words === value.words;
}
