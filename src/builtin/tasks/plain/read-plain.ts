import { cleanText } from '../../../language/clean-text.ts';
import { withoutCourtesy } from '../../../language/filler-words.ts';
import { form, readForm, toMessage } from '../../../language/forms.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { Command } from '../command.ts';
import { cleanReference } from '../reference.ts';
import { readAdded, readLines } from './add-forms.ts';
import { checksOf, readChange } from './change-forms.ts';
import { readListQuestion } from './list-forms.ts';
import { isForbidden, isNotDone, isQuestion, readAbout } from './mood.ts';
import { readSmallTalk, type Topic } from './small-talk.ts';

/** The content of a message in closed forms, every word of it. `question`: it asks for something else than the list. */
export type Plain =
  | { kind: 'commands'; commands: Command[] }
  | { kind: 'topic'; topic: Topic }
  | { kind: 'question'; about: string };

const MAX_CHARS = 600;
const JOY = /[\u{1F389}\u{2705}\u{1F44D}\u{1F642}\u{1F600}\u{1F973}\u{1F4AA}]\u{FE0F}?/gu;
/** Signs that may turn a message round: "≠", "❓", "!done". */
const SIGN = /[^\p{L}\p{M}\p{N}\s.,!:;'"()&#@/+%$€£?=<>-]|!(?=[\p{L}\p{N}=])/u;
/** Sentences; a point in "Dr. Kim" or "3.5" ends none. */
const BREAK = /(?<!\b(?:dr|mr|mrs|ms|st|prof|no))[.!;]+(?=\s|$)|…|\n+/i;
const JOINT = /\s*,?\s+(?:and then|and also|then|and|plus|also)\s+|,\s+/i;
const HARMLESS =
  /^(?:thanks?(?: you)?(?: (?:so|very) much| a lot)?|please|cheers|finally|at last|yay+|phew|woo+(?:hoo)?|hooray|great|nice|thank (?:god|goodness)|i think that's (?:it|all)|that's (?:it|all)|bye)$/i;

/** Reads a message by closed forms. Undefined where a word has no place in them: the learned reader proposes then. */
export function readPlain(text: string, zone: Zone): Plain | undefined {
  const clean = cleanText(text);
  const topic = readSmallTalk(clean);
  if (topic) return { kind: 'topic', topic };
  const lines = readLines(text);
  if (lines.length > 0) return { kind: 'commands', commands: lines };
  if (isForbidden(clean)) return { kind: 'topic', topic: 'forbidden' };
  const list = readListQuestion(clean, zone);
  if (list) return { kind: 'commands', commands: [list] };
  if (isQuestion(clean)) return { kind: 'question', about: readAbout(clean) };
  const commands = readCommands(clean, zone);
  const isReopened = commands?.every(({ slots }) => slots.is_completed === false);
  if (isNotDone(clean) && !isReopened) return readNotDone(clean);
  if (!commands) return undefined;
  const said = plainText(text);
  const isSaid = !commands.some(isGrave) || (said !== undefined && readCommands(said, zone)?.some(isGrave) === true);
  return { kind: 'commands', commands: isSaid ? commands : commands.map(weaken) };
}

function isGrave({ action, slots }: Command): boolean {
  return action === 'delete' || (action === 'update' && slots.title !== undefined);
}

/** The message with plain quotes and no word corrected; undefined if it has a sign that may turn it round. */
function plainText(text: string): string | undefined {
  const plain = text
    .replace(JOY, '')
    .replace(/\s*[\u2713\u2714\u2611]\uFE0F?\s*$/u, ' done')
    .normalize('NFKC')
    .replace(/[‘’‚‛`´]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/\s*(?:→|⇒|➔|➜)\s*/g, ' -> ')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
  return SIGN.test(plain) ? undefined : plain;
}

/** A deletion or a new name that fits only once words are corrected is a likely reading, not a plain one. */
function weaken(command: Command): Command {
  return isGrave(command) ? { ...command, evidence: 'likely' } : command;
}

function readCommands(text: string, zone: Zone): Command[] | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const { words, isRequest } = withoutCourtesy(text);
  if (text.includes('?') && !isRequest && !/\b(?:please|pls|plz)\s*\?+\s*$/i.test(text)) return undefined;
  const whole = readClause(words, zone);
  if (whole && !(whole.action === 'create' && BREAK.test(words))) return [whole];
  const sentences = text.split(BREAK).filter((part) => part.trim() !== '');
  return (
    readParts(sentences, zone) ??
    readParts(
      sentences.flatMap((part) => part.split(JOINT)),
      zone,
    )
  );
}

/** Each part by itself. One without its place makes the whole not plain. */
function readParts(parts: readonly string[], zone: Zone): Command[] | undefined {
  const commands: Command[] = [];
  if (parts.length < 2) return undefined;
  for (const part of parts) {
    const { words } = withoutCourtesy(part);
    const isIdle = HARMLESS.test(part.trim()) || (words === '' && commands.length === 0);
    const command = isIdle ? undefined : readClause(words, zone);
    if (!command && !isIdle) return undefined;
    if (command) commands.push(command);
  }
  // "please don't, delete eggs": words that look back take something else back.
  const isTurned = commands.length > 1 && commands.some(({ action }) => action === 'dismiss' || action === 'undo');
  return commands.length > 0 && !isTurned ? commands : undefined;
}

function readClause(words: string, zone: Zone): Command | undefined {
  if (words === '') return undefined;
  const message = toMessage(words.replace(/\s*->\s*/g, ' to '), checksOf(zone));
  return readLookBack(words) ?? readChange(message, zone) ?? readAdded(message) ?? readListQuestion(words, zone);
}

/** "I haven't bought milk yet": the task is open, or is opened again after a yes. */
function readNotDone(clean: string): Plain | undefined {
  const ref = readAbout(clean);
  if (ref === '') return undefined;
  const slots = { ref, is_completed: false } as const;
  return { kind: 'commands', commands: [{ action: 'update', confidence: 0.8, evidence: 'unlikely', slots }] };
}

const THAT = '(that|it|this|them|those|all of that|all of it|all of them|everything)';
const LAST =
  '([the|my|your|that|this] (last|latest|previous|recent) [one|change|thing|action|step|command|edit|update|operation|deletion|completion|move]|(that|this|the) (change|step|action|edit|update|deletion|completion|move))';
const BIT = '[[last] (bit|part|one)]';
const back = (action: Command['action'], others: Partial<Command> = {}): Command => {
  return { action, confidence: 0.95, evidence: 'plain', slots: {}, ...others };
};

const REDO = form(`(redo [${THAT}|${LAST}]|undo [the|that|my|this] [last] undo)`);
const UNDO = form(
  `(undo [${THAT}|${LAST}|what i just did|what you just did]|(revert|reverse|rollback|roll back|take back) [${THAT}|${LAST}]|(take|roll) ${THAT} back|go back (a|one) step)`,
);
const DISMISS = form(
  `[no [,]] ((never mind|nevermind|nvm) [,] [about] [${THAT}]|(forget|scratch|cancel|drop|scrap|ignore|disregard|skip|ditch) [about] ${THAT} ${BIT}|(don't|do not) (add|save|do) ${THAT}|don't|stop)`,
);
const KEEP = form(
  '[(never mind|nvm) [,]] (keep|leave) (it|that|them|everything) [as it is|as they are|as it was|alone|there|be]',
);
const RESTORE = form(
  '((bring|get|put) <ref> back , <reason>|(bring|get|put|have|i want|want) <ref> back [(on|onto|to|in) (my|the) list]|(restore|undelete|recover) <ref>)',
);

const OPENING =
  /^(?:(?:(?:no+|nope|nah)(?=[,.!]| (?:wait|sorry))|oh|wait|sorry|oops|whoops|hang on|hold on|ok|actually|hmm+)[\s,.!]+)+(?=\S)/i;

/** "undo", "scratch that", "never mind", "bring it back": words that look back and name no task to delete. */
function readLookBack(words: string): Command | undefined {
  const message = toMessage(words.replace(OPENING, ''));
  if (readForm(REDO, message)) return back('undo', { isRedo: true });
  if (readForm(UNDO, message)) return back('undo');
  if (readForm(DISMISS, message)) return back('dismiss');
  if (readForm(KEEP, message)) return back('dismiss', { isMild: true });
  const restored = readForm(RESTORE, message)?.ref;
  const ref = restored === undefined ? undefined : cleanReference(restored);
  return ref === undefined ? undefined : back('restore', ref === '' ? {} : { slots: { ref } });
}
