/** Acts that a message can ask for. `keep` forbids a change, `correct` mends the last message, `clarify` is too vague. */
export const LEARNED_INTENTS = [
  'create',
  'list',
  'complete',
  'update',
  'delete',
  'reopen',
  'undo',
  'confirm',
  'deny',
  'cancel',
  'keep',
  'correct',
  'help',
  'clarify',
  'unknown',
] as const;
export type LearnedIntent = (typeof LEARNED_INTENTS)[number];

/** Roles of a word. `new` is a new title, `except` names what an act leaves out. */
export const WORD_TAGS = [
  'none',
  'title',
  'ref',
  'when',
  'filter',
  'description',
  'new',
  'except',
  'separator',
] as const;
export type WordTag = (typeof WORD_TAGS)[number];
