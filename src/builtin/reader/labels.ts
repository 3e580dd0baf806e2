/** Things that a message can do. A message may have several of the first nine, and one of the others instead. */
export const MESSAGE_LABELS = [
  'add',
  'done',
  'reopen',
  'del',
  'move',
  'ren',
  'note',
  'clear',
  'show',
  'undo',
  'cancel',
  'yes',
  'no',
  'pick',
  'chat',
  'help',
  'other',
  'unclear',
] as const;
export type MessageLabel = (typeof MESSAGE_LABELS)[number];

/**
 * Kinds of marked words. `add` is a new title; `done`, `reopen`, `del`, `move`, `ren`, `note` and `clear` name a task that
 * the user has, by what happens to it; `to` is a new title, `text` a description, `show` the words that a question is about.
 */
export const MARK_KINDS = [
  'add',
  'done',
  'reopen',
  'del',
  'move',
  'ren',
  'note',
  'clear',
  'to',
  'text',
  'when',
  'show',
  'except',
] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** A word outside of every mark is 0. A mark begins with an odd number and goes on with the even one after it. */
export const WORD_ROLES = 1 + 2 * MARK_KINDS.length;

export function beginOf(kind: MarkKind): number {
  return 1 + 2 * MARK_KINDS.indexOf(kind);
}

export function kindOf(role: number): MarkKind | undefined {
  return role === 0 ? undefined : MARK_KINDS[(role - 1) >> 1];
}
