import { cleanText } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import { readPosition } from '../../../language/words.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { Proposer } from '../../learned/proposer.ts';
import { findSeveral } from '../find-task.ts';
import type { KnownTask } from '../known-task.ts';
import { mayNote } from '../read-noted.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import { isOddTitle } from '../talk/odd-title.ts';
import { trimTrailers } from '../talk/peel.ts';
import { readSwap } from '../talk/read-swap.ts';
import { readTalk } from '../talk/read-talk.ts';
import { type Command, lookUpTasks, type TaskContext, type Work } from '../task-context.ts';
import type { Understanding } from '../understand.ts';

/** The chance of another topic above which a first message is not read again. */
const MAX_OFF_TOPIC = 0.3;

interface Again {
  context: TaskContext;
  proposer: Proposer;
}

/** A second reading, part by part, of a message whose first reading found nothing or does not hold. */
export function* readAgain(text: string, understood: Understanding, again: Again): Work<Command[] | undefined> {
  const { context, proposer } = again;
  const { memory, zone } = context;
  if (understood.kind === 'other' && understood.topic !== 'unknown') return undefined;
  const commands = understood.kind === 'commands' ? understood.commands : [];
  const isCreate = commands.length > 0 && commands.every(({ action }) => action === 'create');
  if (isCreate && !commands.some((command) => isSuspicious(command, zone))) return undefined;
  if (commands.length > 0 && !isCreate && !commands.some(isChange)) return undefined;
  const offTopic = (words: string) => proposer.propose(words).intents.unknown;
  // Nothing is looked up for words that say nothing of the tasks that this conversation knows.
  const isHeard = commands.length > 0 || readTalk(text, { tasks: memory.known, memory, zone, offTopic }) !== undefined;
  if (!isHeard && !(memory.known.length === 0 && mayNote(text, zone))) return undefined;
  const tasks = yield* tasksFor(text, understood, context);
  const swap = /^(?:\w+[\s,]+)?(?:swap|replace|exchange)\b/i.test(text)
    ? readSwap(text, { tasks, zone, memory })
    : undefined;
  if (swap) return [swap];
  if (commands.length > 0 && !isCreate && holds(commands, tasks, context)) return undefined;
  const found = readTalk(text, { tasks, memory, zone, offTopic });
  // To somebody who has said nothing of tasks yet, the topic of the whole message counts.
  const isNew = memory.known.length === 0 && understood.kind === 'other';
  if (isNew && offTopic(cleanText(text)) > MAX_OFF_TOPIC) return undefined;
  // A task that only resembles the words is asked about in any case.
  if (found?.some(({ isGuess }) => isGuess) && commands.length > 0 && resembles(commands, tasks)) return undefined;
  // A change that was read is never turned into a new task on the words of a title alone.
  return found &&
    commands.some(isChange) &&
    found.every(({ action, slots }) => action === 'create' && slots.when === undefined)
    ? undefined
    : found;
}

/** The tasks of the conversation, or all of the user's where a change or a remark on one is read. */
function* tasksFor(text: string, understood: Understanding, context: TaskContext): Work<readonly KnownTask[]> {
  const { memory, zone } = context;
  const isNeeded =
    (understood.kind === 'commands' && understood.commands.some(isChange)) ||
    memory.known.length > 0 ||
    mayNote(text, zone);
  if (!isNeeded || (memory.known.length === 0 && understood.kind !== 'commands' && /\?\s*$/.test(text)))
    return memory.known;
  const looked = yield* lookUpTasks(context);
  return 'error' in looked ? memory.known : looked.tasks;
}

function resembles(commands: readonly Command[], tasks: readonly KnownTask[]): boolean {
  return commands.every(({ slots: { ref = '' } }) => resolveReference(ref, tasks, { ordered: [] }).kind !== 'none');
}

function isChange({ action }: Command): boolean {
  return action === 'complete' || action === 'delete' || action === 'update';
}

/** True if a title holds more than a title. Quoted titles are final. */
export function isSuspicious({ slots: { title = '' }, isQuoted }: Command, zone: Zone): boolean {
  if (isQuoted) return false;
  const bare = extractWhen(title, zone)?.rest ?? title;
  return isOddTitle(bare) || trimTrailers(bare) !== bare.trim();
}

/** True if every change is about a task that is there. */
function holds(commands: readonly Command[], tasks: readonly KnownTask[], context: TaskContext): boolean {
  const { memory, zone } = context;
  return commands.every((command) => {
    const { ref = '', title, filter, except } = command.slots;
    if (!isChange(command)) return command.action !== 'create' || !isSuspicious(command, zone);
    if (command.targets || filter !== undefined || except !== undefined) return true;
    if (isPronoun(ref) || ref === '') return memory.last !== undefined && !(title !== undefined && isOddTitle(title));
    if (readPosition(ref) !== undefined) return true;
    if (findSeveral(ref, tasks, context)) return true;
    const found = resolveReference(ref, tasks, { ordered: [] });
    return found.kind !== 'none' && found.how !== 'overlap';
  });
}
