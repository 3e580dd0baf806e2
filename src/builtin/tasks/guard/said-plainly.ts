import { cleanText, unquote } from '../../../language/clean-text.ts';
import type { KnownTask } from '../known-task.ts';
import type { Named } from './names-task.ts';
import { isPlainCompletion } from './plain-complete.ts';
import { isPlainDeletion } from './plain-delete.ts';
import { type PlainPart, plainText, splitJoined, splitParts, trimPart } from './plain-parts.ts';
import { isMendedName, isPlainRename } from './plain-rename.ts';
import { isPlainRestore, isPlainUndo } from './plain-undo.ts';
import { isSameName } from './plain-words.ts';
import { isHarmless, turnsRound } from './remarks.ts';

/** A change after which something would be missed. */
export type GraveDeed =
  | ({ kind: 'complete' | 'delete' } & Named)
  | { kind: 'rename'; task: KnownTask; title: string }
  /** `isRestore`: it would only bring back what was deleted. */
  | { kind: 'undo'; isRestore?: boolean };

/** A plain sentence is short, with room for a long title. */
const MAX_CHARS = 400;
/** Behind a clause: second thoughts, or not meant. */
const TAIL = /[,.!;-]\s*(?:yeah,? )?(?:right|hm+|oops|well|wait|on second thoughts?|as if|sure|not|whatever)\W*$/i;
/** "nodelete", "undelete": a joined word is not mended. */
const JOINED = /\b(?:no|un|de|re|non|not)-?(?=delete|remove|mark|rename|tick|check|complete|done)/i;
/** "delete milk, please?" is an order. */
const PLEASE = /\b(?:please|pls|plz)\s*\?+\s*$/i;

/**
 * True if the message says in so many words what is to be done, and nothing in it turns that round. It reads the message
 * on its own, by a few closed forms, whatever the other readings heard. Without it a grave change is asked about.
 */
export function isSaidPlainly(message: string, deed: GraveDeed): boolean {
  // "mrak buy milk as done": beside a whole title other words may be mended.
  const mended = JOINED.test(message) ? message : cleanText(message);
  const isMended =
    mended !== message && tasksOf(deed).length > 0 && tasksOf(deed).every((task) => saysTitle(message, task));
  return isPlain(message, deed) || (isMended && isPlain(mended, deed));
}

function saysTitle(message: string, { title }: KnownTask): boolean {
  return title.includes(' ') && message.toLowerCase().includes(title.toLowerCase());
}

function isPlain(message: string, deed: GraveDeed): boolean {
  const text = plainText(message);
  if (text === undefined || text.length > MAX_CHARS || TAIL.test(text) || isTitle(text, deed) || hasWordTitle(deed))
    return false;
  const whole = trimPart(text);
  const parts = splitParts(text);
  const isRequest = parts.length === 1 && parts[0]?.isRequest;
  const isAsked = text.includes('?') && !PLEASE.test(text) && !isRequest;
  if (isAsked) return false;
  if (says(whole, deed)) return true;
  // Bringing back may have a reason: nothing is lost by it.
  if (deed.kind === 'undo' && deed.isRestore)
    return (
      parts.some((part) => says(part, deed)) &&
      !parts.some(({ words }) => /^(?:no|nope|not|never|later|maybe|wait|nah)\b/i.test(words))
    );
  if (deed.kind === 'undo' || deed.kind === 'rename') return false;
  if (deed.kind === 'complete' && deed.tasks.length > 1)
    return (
      !/\b(?:it|that|this)\b/i.test(text) &&
      deed.tasks.every((task) => isPlain(text, { ...deed, tasks: [task], known: [...deed.known, ...deed.tasks] }))
    );
  const all = parts.flatMap((part) => (saysAny(part, deed) ? [part] : splitJoined(part)));
  return (
    all.some((part) => says(part, deed)) &&
    all.every((part) => saysAny(part, deed) || isHarmless(part.words) || isNewTask(part))
  );
}

/** A new task beside it changes nothing about it. */
function isNewTask({ words }: PlainPart): boolean {
  return /^(?:add|remind me to|new task) \S/i.test(words) && !turnsRound(words);
}

/** The clause says this, or the same of another task of the user. */
function saysAny(part: PlainPart, deed: GraveDeed): boolean {
  if (says(part, deed)) return true;
  return deed.kind === 'complete' && deed.known.some((task) => says(part, { ...deed, tasks: [task] }));
}

function says({ words }: PlainPart, deed: GraveDeed): boolean {
  switch (deed.kind) {
    case 'complete':
      return isPlainCompletion(words, deed);
    case 'delete':
      return isPlainDeletion(words, deed);
    case 'rename':
      return isPlainRename(words, deed.task, deed.title) || isMendedName(words, deed.task, deed.title);
    case 'undo':
      return deed.isRestore ? isPlainRestore(words) : isPlainUndo(words);
  }
}

/** A task that is called "nothing" or "all": no sentence about it is plain. */
function hasWordTitle(deed: GraveDeed): boolean {
  return tasksOf(deed).some(({ title }) => WORD_TITLE.test(title.trim()));
}

const WORD_TITLE =
  /^(?:nothing|none|all|everything|anything|something|it|that|this|them|yes|no|ok|done|undo|last|first|rest|the (?:rest|last|first)(?: one)?|both|one|\d+)$/i;

/** "cancel gym membership", where that is the task: it may be meant as the errand itself. */
function isTitle(text: string, deed: GraveDeed): boolean {
  const said = unquote(trimPart(text).words);
  return tasksOf(deed).some(({ title }) => isSameName(title, said));
}

function tasksOf(deed: GraveDeed): readonly KnownTask[] {
  if (deed.kind === 'undo') return [];
  return deed.kind === 'rename' ? [deed.task] : deed.tasks;
}
