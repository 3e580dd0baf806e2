/** The kinds of change, by how much a wrong one hurts. */
export type Deed = 'complete' | 'delete' | 'rename' | 'change' | 'undo';

/**
 * How the task was found. `exact`: by its whole title, its id or its number in the list. `named`: by what the title is
 * about ("milk" for "buy milk"). `recent`: "it", right after the turn about that task. `stale`: "it" or "undo", with
 * something else in between. `counted`: by a number in a list that was not shown or has changed since. `typo`: as
 * `named`, misspelt. `partial`: by some words of the title. `similar`: only some words are alike. `several`: each named
 * by itself. `group`: "all my tasks". `idiom`: by words that name no task.
 */
export type Found = (typeof COLUMNS)[number];

/** `do`: at once. `confirm`: ask yes or no. `offer`: name the readings to choose from. `ask`: ask what is meant. */
export type Verdict = 'do' | 'confirm' | 'offer' | 'ask';

const COLUMNS = [
  'exact',
  'named',
  'recent',
  'stale',
  'counted',
  'typo',
  'partial',
  'similar',
  'several',
  'group',
  'idiom',
] as const;

/** The table of a change that can be undone in one step. */
const UNDOABLE: Readonly<Record<Deed, readonly Verdict[]>> = {
  //          exact named recent stale counted typo partial similar several group idiom
  complete: ['do', 'do', 'do', 'confirm', 'confirm', 'do', 'confirm', 'confirm', 'do', 'confirm', 'ask'],
  delete: ['do', 'do', 'do', 'confirm', 'confirm', 'confirm', 'confirm', 'ask', 'confirm', 'confirm', 'ask'],
  rename: ['do', 'do', 'do', 'confirm', 'confirm', 'confirm', 'ask', 'ask', 'ask', 'ask', 'ask'],
  change: ['do', 'do', 'do', 'confirm', 'confirm', 'do', 'confirm', 'confirm', 'do', 'do', 'ask'],
  undo: ['do', 'do', 'do', 'confirm', 'confirm', 'do', 'confirm', 'confirm', 'do', 'do', 'confirm'],
};

/** A change that cannot be undone is confirmed unless its task was named in full. */
const FINAL: Readonly<Partial<Record<Found, Verdict>>> = { named: 'confirm', recent: 'confirm', typo: 'confirm' };

/** The only place that decides whether a change is made, confirmed, offered or asked about. */
export function decide(deed: Deed, found: Found, { canUndo }: { canUndo: boolean }): Verdict {
  const verdict = UNDOABLE[deed][COLUMNS.indexOf(found)] ?? 'ask';
  return verdict === 'do' && !canUndo ? (FINAL[found] ?? 'do') : verdict;
}
