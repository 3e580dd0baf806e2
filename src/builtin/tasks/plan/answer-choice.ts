import { withoutCourtesy } from '../../../language/filler-words.ts';
import { extractWhen } from '../../../language/when.ts';
import { isPlainYes } from '../../../language/yes-no.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { Command } from '../command.ts';
import { splitExcept } from '../group.ts';
import type { KnownTask } from '../known-task.ts';
import { cleanReference } from '../reference.ts';
import { isOnlyNamed, resolve } from '../resolve.ts';
import { emptyMemory } from '../task-memory.ts';

/** The effect of a message on an open question. */
export type Answer =
  | { kind: 'commands'; commands: Command[] }
  /** The question, or one like it, is asked again. */
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
const LEAD_IN =
  /^(?:(?:no|nope|nah),\s+|(?:sorry|oh),?\s+)?(?:(?:only(?= the\b)|i (?:meant?|mean|choose|pick)|the one (?:about|with|for|called|named)|it's|its|it is|that's|let's (?:do|go with)|go with|with|called|named|about|number)\s+)*/i;
/** "the second", "second one", "#2", "2nd"; not "a second". */
const PLACE =
  /^(?:the )?(?:(?:tasks?|items?|numbers?|no\.?|option) )?(?:#?\d{1,3}(?:st|nd|rd|th)?|one|two|three|(?:first|second|third|fourth|fifth|last|former|latter|top|bottom))(?: (?:one|task|item))?$/i;
/** "skip the oat milk", "not that one": what is named is just what is not meant. */
const SPARED =
  /^(?:(?:no|nope|nah),?\s+)?(?:don'?t|do not|not|skip|never ?mind|leave|keep|cancel|stop|neither|none|forget|no)\s+\S/i;

/** Words that name a task in an answer: "I meant the oat milk, please". */
function namedIn(text: string): string {
  const words = bareAnswer(text);
  return cleanReference(words) || words;
}

/** An answer without courtesies and the words that lead in. */
export function bareAnswer(text: string): string {
  return withoutCourtesy(text)
    .words.replace(LEAD_IN, '')
    .replace(/\s+(?:i mean|i meant|only|alone)$/i, '');
}

/** Chooses among the tasks that a question named. `same`: the command of the question, said again with its task. */
export function answerChoose(
  command: Command,
  candidates: KnownTask[],
  { text, same, zone }: { text: string; same: Command | undefined; zone: Zone },
): Answer {
  const agreed = (targets: KnownTask[]): Answer => {
    return { kind: 'commands', commands: [{ ...command, targets, evidence: 'agreed' }] };
  };
  const [only, another] = candidates;
  if (SPARED.test(text) && !same) return { kind: 'dropped' };
  if (only && !another && isPlainYes(text)) return agreed([only]);
  const split = splitExcept(text);
  if (split) return takeOthers(command, candidates, split);
  if (ALL.test(text) || (candidates.length === 2 && BOTH.test(text))) return takeAll(command, candidates);
  const ref = same?.slots.ref ?? namedIn(text);
  const numbered = /^\d+$/.test(ref) ? candidates.filter(({ title }) => title.split(/\s+/).includes(ref)) : [];
  const found = resolve(ref, candidates, { ...emptyMemory(), shown: candidates, isShownFresh: true });
  const [chosen, more] = numbered.length > 0 ? numbered : found.kind === 'found' ? found.tasks : [];
  if (chosen && !more) {
    const said = same ? ref : bareAnswer(text).replace(/\s+(?:one|task)(?=$|,)/i, '');
    const isPlain = numbered.length > 0 || PLACE.test(said) || isOnlyNamed(said, chosen);
    return isPlain ? agreed([chosen]) : { kind: 'confirm', command, candidates: [chosen] };
  }
  if (found.kind === 'many') return { kind: 'choose', command, candidates: found.tasks };
  const told = chooseByAgeOrDay(text, candidates, zone);
  return told ? agreed([told]) : { kind: 'other' };
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
function takeOthers(command: Command, candidates: KnownTask[], split: { rest: string; except: string }): Answer {
  const found = resolve(cleanReference(split.except) || split.except, candidates, {
    ...emptyMemory(),
    shown: candidates,
    isShownFresh: true,
  });
  if (!EVERY.test(split.rest) || found.kind === 'none' || command.action === 'update') return { kind: 'other' };
  const left = candidates.filter((task) => !found.tasks.includes(task));
  return left.length === 0 ? { kind: 'dropped' } : { kind: 'confirm', command, candidates: left };
}

/** Several at once may be completed on that word; deleting them is confirmed with all their names. */
function takeAll(command: Command, candidates: KnownTask[]): Answer {
  if (command.action === 'complete')
    return { kind: 'commands', commands: [{ ...command, targets: candidates, evidence: 'agreed' }] };
  return command.action === 'delete'
    ? { kind: 'confirm', command, candidates }
    : { kind: 'choose', command, candidates };
}
