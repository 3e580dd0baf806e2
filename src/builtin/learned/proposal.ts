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

/** Word of the message, with its place in the text. Punctuation marks are words too. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

export interface TaggedWord extends Word {
  tag: WordTag;
}

/** Learned reading of a clause or a message. It is evidence for a reading, never a reason to act. */
export interface Proposal {
  /** Probabilities that add up to 1. */
  intents: Readonly<Record<LearnedIntent, number>>;
  words: readonly TaggedWord[];
}

/** A run of words with the same tag, with the text between them. */
export interface TaggedSpan {
  tag: WordTag;
  text: string;
  start: number;
  end: number;
}

/** Joins neighbouring words of one tag; words without a role are left out. */
export function spansOf(text: string, words: readonly TaggedWord[]): TaggedSpan[] {
  const spans: TaggedSpan[] = [];
  let before: TaggedWord | undefined;
  for (const word of words) {
    const last = spans.at(-1);
    if (last && word.tag !== 'none' && before?.tag === word.tag) {
      last.end = word.end;
      last.text = text.slice(last.start, last.end);
    } else if (word.tag !== 'none') {
      spans.push({ tag: word.tag, text: word.text, start: word.start, end: word.end });
    }
    before = word;
  }
  return spans;
}
