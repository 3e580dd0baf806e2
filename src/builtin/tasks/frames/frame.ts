/** The action that a clause requests, before the tasks are looked up. */
export type Action = 'create' | 'list' | 'complete' | 'delete' | 'update' | Reverse;

/**
 * Words that look back instead of naming a task. `undo`: take the last change back. `dismiss`: "forget it", leave or
 * take back what was just proposed or done. `restore`: "bring it back", never a removal.
 */
export type Reverse = 'undo' | 'dismiss' | 'restore';

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
}

/** Which way a date is moved by a length of time. */
export type Shift = 'later' | 'earlier';

export interface TaskFrame {
  action: Action;
  /** Sure: the words name a task, a list or a reminder. Otherwise they could be about anything. */
  sure: boolean;
  slots: Slots;
  /** The part that the clause leaves open; the user is asked for it. */
  missing?: 'title' | 'ref' | 'change';
  /** A list was asked for, of which there is one already. */
  isList?: boolean;
  /** "redo": what was taken back is done again. */
  isRedo?: boolean;
  /** "keep it": what was done stays, and what was deleted comes back. */
  isMild?: boolean;
  /** Said as a remark, not as an order: a change is confirmed. */
  isRemark?: boolean;
  /** The title stands in quotes: nothing in it is a time. */
  isQuoted?: boolean;
  /** The title is one task, whatever it lists. */
  isWhole?: boolean;
  /** `when` is a length of time by which the date moves. */
  shift?: Shift;
}

/** Reads one clause, or not. */
export type FrameReader = (clause: string) => TaskFrame | undefined;

/** Words for one entry and for the whole list. */
export const ITEM = String.raw`(?:to[- ]?do(?: list)? (?:items?|tasks?|entry|entries)|list items?|tasks?|to-?dos?|to dos?|items?|reminders?|entry|entries|chores?|errands?)`;
export const LIST_NAME = String.raw`(?:(?:to[- ]?do|shopping|grocery|groceries|task|tasks|reminders?|chores?|things[- ]to[- ]do|bucket|packing|work|home|personal|wish|current|whole|entire|new) )*(?:lists?|to-?dos?|tasks|reminders|agenda|calendar|schedule|plate|planner|cart)`;
export const MY = String.raw`(?:(?:my|our|the|this|that|your|these|those|all|of|current|an?)\s+)*`;
export const MY_LIST = String.raw`${MY}${LIST_NAME}(?: (?:of|for) (?:things to do|things|to-?dos?|tasks|chores|groceries|shopping|me|today))?`;

export function pattern(source: string): RegExp {
  return new RegExp(source, 'is');
}

/** A quick look; reading the time is `extractWhen`'s work. */
export function isTimeLike(text: string): boolean {
  return /\b(?:today|tomorrow|tonight|morning|evening|afternoon|noon|week|weekend|month|year|fortnight|day|days|hours?|minutes?|monday|tuesday|wednesday|thursday|friday|saturday|sunday|am|pm|\d+(?:st|nd|rd|th|am|pm)?)\b/i.test(
    text,
  );
}

const NAMES_ITEM = pattern(String.raw`\b${ITEM}\b`);

/** Whether the words "task", "todo", "reminder" or the like are in a text. */
export function namesItem(text: string): boolean {
  return NAMES_ITEM.test(text);
}
