import { cleanText, stripPoliteness } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import { isPlainYes } from '../../../language/yes-no.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import { cleanReference } from '../frames/clean-reference.ts';
import type { TaskFrame } from '../frames/frame.ts';
import { splitExcept } from '../frames/frame-group.ts';
import { isPlace, namesTasks } from '../guard/names-task.ts';
import { trimPart } from '../guard/plain-parts.ts';
import type { KnownTask } from '../known-task.ts';
import { resolveReference } from '../resolve-reference.ts';
import type { Command, Pending } from '../task-context.ts';

/** The effect of a message on an open question. */
export type Answer =
  | { kind: 'command'; command: Command }
  | { kind: 'commands'; commands: Command[] }
  | { kind: 'choose' | 'confirm'; command: Command; candidates: KnownTask[] }
  | { kind: 'dropped' }
  /** It is no answer: read it as any other message. */
  | { kind: 'other' };

const BOTH = /^(?:both|the two|both of them)[\s.!]*$/i;
const ALL =
  /^(?:all(?: of (?:them|those|these))?|every one|each of them|all (?:two|three|four|five)(?: of them)?)[\s.!]*$/i;
const AGE = /^(?:the\s+)?(?:(newest|newer|latest|most recent)|oldest|older|earliest)(?: (?:one|task))?[\s.!]*$/i;
/** Words around a day that chooses among tasks. */
const DAY_ALONE =
  /^(?:[\s,.!']|\b(?:the|one|ones|task|that|which|is|was|due|for|on|of|by|i|mean|meant|please|'s|s|oh|sorry|no|it|its)\b)*$/i;
const EVERY = /^(?:all|everything|every one|each|all of (?:them|those|these))$/i;
export const LEAD_IN =
  /^(?:(?:i (?:meant?|mean|choose|pick)|the one (?:about|with|for|called|named)|it's|its|it is|that's|let's (?:do|go with)|go with|with|called|named|about|number)\s+)+/i;
/** "no, the oat milk" */
const REFUSED = /^(?:no|nope|nah),\s+/i;
/** "skip the oat milk", "not that one": what is named is just what is not meant. */
const SPARED =
  /^(?:(?:no|nope|nah),?\s+)?(?:don'?t|do not|not|skip|never ?mind|leave|keep|cancel|stop|neither|none|forget|no)\s+\S/i;

/** Chooses among the tasks that a question named. */
export function answerChoose(
  { command, candidates }: Extract<Pending, { kind: 'choose' }>,
  text: string,
  { frame, zone }: { frame: TaskFrame | undefined; zone: Zone },
): Answer {
  const [only, another] = candidates;
  const isOrder = /^(?:cancel|forget)\b/i.test(text) && command.action === 'delete';
  if (SPARED.test(text) && !isOrder) return { kind: 'dropped' };
  if (only && !another && isPlainYes(text)) return { kind: 'command', command: { ...command, targets: [only] } };
  const split = splitExcept(text);
  if (split) return takeOthers(command, candidates, split);
  if (ALL.test(text) || (candidates.length === 2 && BOTH.test(text))) return takeAll(command, candidates);
  const words = frame?.action === command.action && frame.slots.ref ? frame.slots.ref : text.replace(REFUSED, '');
  const ref = cleanReference(stripPoliteness(words).replace(LEAD_IN, '')) || words;
  const found = resolveReference(ref, candidates, { ordered: candidates });
  const numbered = candidates.filter(({ title }) => title.split(/\s+/).includes(words.trim()));
  const [chosen, more] = numbered.length > 0 ? numbered : found.kind === 'one' ? [found.item] : [];
  if (chosen && !more)
    return isPlainChoice(text, chosen) || isPlainChoice(words, chosen)
      ? { kind: 'command', command: { ...command, targets: [chosen] } }
      : { kind: 'confirm', command, candidates: [chosen] };
  if (found.kind === 'many') return { kind: 'choose', command, candidates: found.items };
  const told = chooseByAgeOrDay(text, candidates, zone);
  return told ? { kind: 'command', command: { ...command, targets: [told] } } : { kind: 'other' };
}

/** True for a place or a name; "just a second" and "I should buy the oat milk" choose nothing. */
function isPlainChoice(text: string, task: KnownTask): boolean {
  const { words } = trimPart(cleanText(text).replace(REFUSED, ''));
  const bare = words.replace(LEAD_IN, '').replace(/^(?:only|just)\s+|\s+(?:only|alone)$/gi, '');
  return isPlace(bare) || isPlace(`the ${bare}`) || namesTasks(bare, { tasks: [task], known: [] });
}

/** "the oldest", "the one due tomorrow". Tasks of the same moment come newest first. */
function chooseByAgeOrDay(text: string, candidates: readonly KnownTask[], zone: Zone): KnownTask | undefined {
  const age = AGE.exec(text);
  const byAge = candidates.toSorted((a, b) => (b.created_at ?? '').localeCompare(a.created_at ?? ''));
  if (age) return byAge.at(age[1] === undefined ? -1 : 0);
  const when = extractWhen(text, zone);
  // More than a day is said: "then add it: ring the nurse today" chooses nothing.
  if (!when || !DAY_ALONE.test(when.rest)) return undefined;
  const due = candidates.filter(({ due_date = '' }) => due_date.slice(0, 10) === when.from);
  return due.length === 1 ? due[0] : undefined;
}

/** "all but the first": what is left is confirmed by name. */
function takeOthers(
  command: Command,
  candidates: KnownTask[],
  { rest, except }: { rest: string; except: string },
): Answer {
  const found = resolveReference(cleanReference(except) || except, candidates, { ordered: candidates });
  if (!EVERY.test(rest) || found.kind === 'none' || command.action === 'update') return { kind: 'other' };
  const left = candidates.filter((task) => (found.kind === 'one' ? task !== found.item : !found.items.includes(task)));
  return left.length === 0 ? { kind: 'dropped' } : { kind: 'confirm', command, candidates: left };
}

/** Several at once may be completed on that word; deleting them is confirmed with all their names. */
function takeAll(command: Command, candidates: KnownTask[]): Answer {
  if (command.action === 'complete') return { kind: 'command', command: { ...command, targets: candidates } };
  return command.action === 'delete'
    ? { kind: 'confirm', command, candidates }
    : { kind: 'choose', command, candidates };
}
