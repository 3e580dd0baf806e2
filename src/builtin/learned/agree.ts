import type { LearnedIntent, WordTag } from './proposal.ts';

/** Acts on tasks that exist: words tagged as a title name such a task. */
const ON_EXISTING: ReadonlySet<LearnedIntent> = new Set([
  'list',
  'complete',
  'delete',
  'reopen',
  'undo',
  'keep',
  'clarify',
]);

/** Makes the roles fit the act: a new task has a title and no reference, an act on a task has no title. */
export function agreeWith(intent: LearnedIntent, tags: readonly WordTag[]): WordTag[] {
  if (intent === 'create')
    return tags.map((tag) => (tag === 'ref' || tag === 'new' || tag === 'except' ? 'title' : tag));
  if (ON_EXISTING.has(intent)) return tags.map((tag) => (tag === 'title' || tag === 'new' ? 'ref' : tag));
  if (intent === 'update' || intent === 'correct') return agreeWithUpdate(tags);
  return [...tags];
}

/** The first thing that an update names is the task; a later title, or a second reference, is its new title. */
function agreeWithUpdate(tags: readonly WordTag[]): WordTag[] {
  const hasNew = tags.includes('new');
  const hasRef = tags.includes('ref');
  const firstTitle = tags.indexOf('title');
  return tags.map((tag, at) => {
    if (tag !== 'title') return tag;
    if (!hasRef && isSameRun(tags, firstTitle, at)) return hasNew || firstTitle !== lastRun(tags) ? 'ref' : 'new';
    return 'new';
  });
}

function isSameRun(tags: readonly WordTag[], from: number, to: number): boolean {
  return tags.slice(from, to + 1).every((tag) => tag === 'title');
}

/** Start of the last run of titles. */
function lastRun(tags: readonly WordTag[]): number {
  let at = tags.lastIndexOf('title');
  while (tags[at - 1] === 'title') at--;
  return at;
}
