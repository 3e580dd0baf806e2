import { cleanText } from '../../../language/clean-text.ts';
import { readPosition } from '../../../language/words.ts';
import type { Proposer } from '../../learned/proposer.ts';
import { readReverse } from '../frames/frame-reverse.ts';
import { quoteTitles } from '../frames/quote-titles.ts';
import { readCorrection, readOtherErrand } from '../frames/read-correction.ts';
import type { KnownTask } from '../known-task.ts';
import type { GrammarReading } from '../marked/command-traits.ts';
import { mayNote, readNoted } from '../read-noted.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import { type Command, lookUpTasks, type Pending, type TaskContext, type Work } from '../task-context.ts';
import type { Understanding } from '../understand.ts';
import { understandNamed } from '../understand-named.ts';
import { confirmNew, offerGuess, offerInstead, offerOdd } from './offer-doubtful.ts';
import { readAgain } from './read-again.ts';

interface GrammarTalk {
  talk: { proposer: Proposer; otherwise?: { isClearlyMeant(): boolean } };
  context: TaskContext;
  pending: Pending | undefined;
}

/** Reads a message by the grammar. */
export function* readByGrammar(text: string, { talk, context, pending }: GrammarTalk): Work<GrammarReading> {
  const noted = pending?.kind === 'choose' ? undefined : yield* noteKnown(text, context.memory.known, context);
  if (noted) return { kind: 'commands', commands: noted, isSure: false };
  const correction = mayCorrect(text, context) ? readCorrection(text, context.memory, context.zone) : undefined;
  if (correction) return { kind: 'commands', commands: correction, isSure: true };
  const errand = correction ? undefined : readOtherErrand(text, context);
  if (errand) return { kind: 'offer', reply: offerInstead(errand), isFinal: true };
  const { proposer, otherwise } = talk;
  const gate = { proposer, hasOtherTools: otherwise !== undefined, isForOthers: otherwise?.isClearlyMeant };
  const first = yield* understandNamed(text, context, gate);
  const understood = first.kind === 'commands' && first.isDoubtful ? yield* settleDoubt(first, context) : first;
  const again = otherwise ? undefined : yield* readAgain(text, understood, { context, proposer });
  if (again) {
    const offer = offerGuess(again, understood, context) ?? offerOdd(again, text, context);
    if (offer) return { kind: 'offer', reply: offer };
    return { kind: 'commands', commands: again.map((command) => confirmNew(command, understood)), isSure: false };
  }
  const odd = understood.kind === 'commands' ? offerOdd(understood.commands, text, context) : undefined;
  if (odd) return { kind: 'offer', reply: odd };
  if (understood.kind === 'commands') return { kind: 'commands', commands: understood.commands, isSure: true };
  const isUnclear =
    understood.kind === 'vague' || (understood.kind === 'other' && /^(?:unknown|answer)$/.test(understood.topic));
  const late = isUnclear && !pending && !otherwise ? yield* noteLooked(text, context) : undefined;
  if (late) return { kind: 'commands', commands: late, isSure: false };
  return { kind: 'none', understood, isUnclear };
}

/** A remark about tasks of this conversation, read again with the whole list in view. */
function* noteKnown(text: string, tasks: readonly KnownTask[], context: TaskContext): Work<Command[] | undefined> {
  const { memory, zone } = context;
  if (!readNoted(text, { tasks, memory, zone })) return undefined;
  const looked = yield* lookUpTasks(context);
  return 'error' in looked ? undefined : readNoted(text, { tasks: looked.tasks, memory, zone });
}

/** The same for tasks that this conversation has not mentioned. */
function* noteLooked(text: string, context: TaskContext): Work<Command[] | undefined> {
  if (!mayNote(text, context.zone)) return undefined;
  const looked = yield* lookUpTasks(context);
  return 'error' in looked ? undefined : yield* noteKnown(text, looked.tasks, context);
}

/** A message with the whole title of another task is about that task. */
function mayCorrect(text: string, { memory }: TaskContext): boolean {
  const clean = cleanText(text);
  const changed = new Set(memory.changes.map(({ task }) => task.id));
  const others = memory.known.filter(({ id }) => !changed.has(id)).map(({ title }) => title);
  return !readReverse(clean) && quoteTitles(clean, others) === clean;
}

/** "delete book a flight" is ours where such a task is on the list. */
function* settleDoubt(
  understood: Extract<Understanding, { kind: 'commands' }>,
  context: TaskContext,
): Work<Understanding> {
  const looked = yield* lookUpTasks(context);
  const tasks = 'error' in looked ? [] : looked.tasks;
  const isMeant = understood.commands.every((command) => isKnownTask(command, tasks, context));
  const [command] = understood.commands;
  if (isMeant) return understood;
  if (understood.otherwise) return { kind: 'commands', commands: [understood.otherwise] };
  return { kind: 'other', topic: 'unknown', confidence: command?.confidence ?? 0.5 };
}

function isKnownTask(
  { slots: { ref = '' }, isGuess, action }: Command,
  tasks: readonly KnownTask[],
  { memory }: TaskContext,
): boolean {
  if (readPosition(ref) !== undefined) return true;
  if (isPronoun(ref)) return memory.last !== undefined || memory.said.length > 0;
  const found = resolveReference(ref, tasks, { ordered: [] });
  // A pattern that resembles a task is asked about; a question or a mere guess needs more.
  return found.kind !== 'none' && (found.how !== 'overlap' || (!isGuess && action !== 'list'));
}
