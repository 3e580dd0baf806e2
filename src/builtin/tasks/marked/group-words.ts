import type { Slots } from '../frames/frame.ts';

const OPENING = String.raw`(?:(?:all|every|each|any|the|of|my|those|these|them|it|whole|entire|other|remaining|still|that|that's|thats|which|are|is|i've|i|have|already|everything|anything|what|whatever|ones?|tasks?|things?|items?|stuff|we|we've)\s+)*`;
const THINGS = String.raw`(?:ones?|tasks?|items?|things?|stuff|todos?|to-?dos?|list|lot|them|it|everything|all)`;
const ALL = new RegExp(
  String.raw`^(?:all|everything|(?:the )?whole(?: thing)?|${OPENING}(?:list|lot)|all (?:of )?(?:them|it|tasks?|the rest|of (?:these|those))|the rest|every ?(?:thing|task|one))$`,
  'i',
);
const DONE = new RegExp(
  String.raw`^${OPENING}(?:done|finished|completed?|ticked(?: off)?|checked(?: off)?)(?:\s+${THINGS})?$`,
  'i',
);
const OPEN = new RegExp(
  String.raw`^${OPENING}(?:open|pending|unfinished|undone|incomplete|remaining|left|outstanding)(?:\s+${THINGS})?$`,
  'i',
);

/** Words for a group of tasks, by their state; undefined for words that name tasks. */
export function readGroup(words: string): { filter: NonNullable<Slots['filter']> } | undefined {
  const text = words.trim().replace(/[.!?,]+$/, '');
  if (ALL.test(text)) return { filter: 'all' };
  if (DONE.test(text)) return { filter: 'completed' };
  return OPEN.test(text) ? { filter: 'pending' } : undefined;
}
