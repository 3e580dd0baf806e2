import type { Intent } from '../../schema/domain.ts';
import type { KnownTask } from './known-task.ts';
import type { TaskAction } from './task-tools.ts';

/**
 * `undo`: take the last change back. `dismiss`: "forget it", leave or take back what was just proposed or done.
 * `restore`: "bring it back", never a removal.
 */
export type Reverse = 'undo' | 'dismiss' | 'restore';
type Action = TaskAction | Reverse;

export interface Slots {
  title?: string;
  /** Which task, in the user's words. */
  ref?: string;
  filter?: 'all' | 'pending' | 'completed';
  when?: string;
  /** The days of a group that is moved: "everything on Friday". */
  day?: string;
  /** Which tasks of a group are left alone. */
  except?: string;
  description?: string;
  /** The field to remove from the task. */
  clear?: 'due_date' | 'due_time' | 'description';
  /** False: a done task is opened again. */
  is_completed?: false;
  /** Only tasks without a due date are shown. */
  undated?: true;
}

/**
 * Evidence for a command. `plain`: every word of the message has its place in a closed form. `likely` and `unlikely`: the
 * learned reader's chance. `agreed`: the user has answered a question about it.
 */
export type Evidence = 'plain' | 'likely' | 'unlikely' | 'agreed';

/** A request of the user. It is kept as JSON while a question about it is open. */
export interface Command {
  action: Action;
  confidence: number;
  evidence: Evidence;
  slots: Slots;
  /** The part that was left open; the user is asked for it. */
  missing?: 'title' | 'ref' | 'change' | undefined;
  /** A list was asked for, of which there is one already. */
  isList?: boolean | undefined;
  /** Nothing in the title is a time. */
  isQuoted?: boolean | undefined;
  /** `when` is a length of time by which the date moves. */
  shift?: 'later' | 'earlier' | undefined;
  /** "keep it": what was done stays, and what was deleted comes back. */
  isMild?: boolean | undefined;
  /** Said as a report, which may be meant of the thing: "the report is done" need not say that it was sent. */
  isReport?: boolean | undefined;
  /** "redo": what was taken back is done again. */
  isRedo?: boolean | undefined;
  /** The tasks that it is about, once that is settled. */
  targets?: KnownTask[];
}

export type ChangeCommand = Command & { action: 'complete' | 'delete' | 'update' };

/** A question that the next message may answer. `next`: commands that wait for their own question. */
export type Pending = (
  | { kind: 'choose' | 'confirm'; command: Command; candidates: KnownTask[] }
  | { kind: 'fill'; command: Command; missing: 'title' | 'ref' | 'change' }
  /** Readings to choose from, each of one command or several; a yes takes the first. */
  | { kind: 'offer'; choices: Command[][] }
) & { next?: Command[] };

/** The outcome of a command. */
export interface Done {
  text: string;
  intent: Intent;
  pending?: Pending;
  /** Tasks were changed. */
  changed?: boolean;
}
