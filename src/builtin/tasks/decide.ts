import type { ChangeCommand, Evidence } from './command.ts';

/** The kinds of change, by how much a wrong one hurts. */
export type Deed = 'complete' | 'delete' | 'rename' | 'change';

/**
 * How the task was found. `exact`: by its whole title, its id or its number in the list. `named`: by its
 * whole name but its verb ("milk" for "buy milk"). `about`: by the word that it is about ("report" for "finish the report for
 * Bob"). `recent`: "it", right after the turn about that task. `typo`: misspelt, or in another form. `partial`: by another part of
 * the title. `stale`: "it", with something else in between. `counted`: by a number in a list that was not shown as it is.
 * `similar`: only some words are alike. `several`: each named by itself. `group`: "all my tasks".
 */
export type How = (typeof COLUMNS)[number];

/** `do`: at once. `confirm`: ask yes or no. `ask`: the task is in doubt, ask for it. `leave`: change nothing. */
export type Verdict = 'do' | 'confirm' | 'ask' | 'leave';

const COLUMNS = [
  'exact',
  'named',
  'about',
  'recent',
  'typo',
  'partial',
  'stale',
  'counted',
  'similar',
  'several',
  'group',
] as const;

type Row = readonly Verdict[];
const row = (verdicts: string): Row => verdicts.trim().split(/\s+/) as Verdict[];
//                  exact   named   about   recent  typo    partial stale   counted similar several group
const KIND = row('  do      do      do      do      do      confirm confirm confirm confirm do      confirm');
const STRICT = row('do      do      ask     do      ask     ask     ask     ask     ask     confirm confirm');
const ASKED = row(' confirm confirm ask     confirm ask     ask     ask     ask     ask     confirm confirm');
const LEFT: Row = COLUMNS.map(() => 'leave');
const DOUBT: Row = COLUMNS.map(() => 'confirm');

/**
 * The policy: a deed, the evidence for it, and how the task was found. Completing, moving, describing and reopening are visible
 * and undone by one word, so a likely reading is enough. Deleting and renaming need plain words or a yes.
 */
const POLICY: Readonly<Record<Deed, Readonly<Record<Exclude<Evidence, 'agreed'>, Row>>>> = {
  complete: { plain: KIND, likely: KIND, unlikely: DOUBT },
  change: { plain: KIND, likely: KIND, unlikely: DOUBT },
  delete: { plain: STRICT, likely: ASKED, unlikely: LEFT },
  rename: { plain: STRICT, likely: ASKED, unlikely: LEFT },
};
/** Groups up to this size get a new time without a question. */
const FEW = 5;

export interface Case {
  command: ChangeCommand;
  how: How;
  /** How many tasks it is about. */
  count: number;
  canUndo: boolean;
}

/** The only place that decides whether a change is made, confirmed, asked about or left. */
export function decide({ command, how, count, canUndo }: Case): Verdict {
  if (command.evidence === 'agreed') return 'do';
  const deed = deedOf(command);
  const verdict = POLICY[deed][command.evidence][COLUMNS.indexOf(how)] ?? 'ask';
  const isFewMoved = deed === 'change' && how === 'group' && count <= FEW && command.slots.except === undefined;
  if (isFewMoved && command.evidence === 'plain') return 'do';
  return verdict === 'do' && !canUndo && how !== 'exact' ? 'confirm' : verdict;
}

export function deedOf({ action, slots }: ChangeCommand): Deed {
  if (action !== 'update') return action;
  return slots.title === undefined ? 'change' : 'rename';
}
