import { cleanText } from '../../../language/clean-text.ts';
import { createZone } from '../../../language/zoned-time.ts';
import type { ToolDefinition } from '../../../models/model.ts';
import type { IntentConfig } from '../../../schema/agent.ts';
import type { TurnView } from '../../conversation.ts';
import type { FileTurn } from '../../files/plan-files.ts';
import type { Proposer } from '../../learned/proposer.ts';
import { type Plan, type PlanReply, playPlan } from '../../plan.ts';
import { readOwnQuestion, readQuestion } from '../frames/read-question.ts';
import { isNoErrand } from '../guard/no-errand.ts';
import type { KnownTask } from '../known-task.ts';
import type { GrammarReading } from '../marked/command-traits.ts';
import { asksBack, asRead, MAX_QUESTIONS, MAX_READ_CHARS, type Readings } from '../marked/read-ahead.ts';
import { addsSeveral, isNewTask, isOtherChange, isOwnRequest, readByMarks } from '../marked/read-by-marks.ts';
import { isOpen, settleReadings } from '../marked/settle-readings.ts';
import { peel } from '../talk/peel.ts';
import {
  ask,
  type Command,
  type Done,
  done,
  leaveAlone,
  type Pending,
  type TaskContext,
  type Work,
} from '../task-context.ts';
import { recallTasks } from '../task-memory.ts';
import { argumentNames, findTaskTools } from '../task-tools.ts';
import type { Understanding } from '../understand.ts';
import { answerPending } from './answer-pending.ts';
import { describeChange } from './describe-change.ts';
import { nameTasks } from './name-tasks.ts';
import { isDatedThing, offerReadings, readAppointment } from './offer-readings.ts';
import { confirmSeveral } from './plan-bulk.ts';
import { planChange } from './plan-change.ts';
import { planCreate } from './plan-create.ts';
import { answerAsked, lookUpKnown, lookUpMentioned, planLookup } from './plan-lookup.ts';
import { describeLast, planReverse } from './plan-undo.ts';
import { readByGrammar } from './read-by-grammar.ts';
import { isWork, nearlyNothing, sayOther } from './say-other.ts';
import { whyUnable } from './unable.ts';

export interface TaskTalk {
  intents: Readonly<Record<string, IntentConfig>>;
  tools: readonly ToolDefinition[];
  timezone: string;
  now: Date;
  proposer: Proposer;
  /** Learned readings of messages, by the place of their turn. */
  readings?: Readings | undefined;
  /** The files of the conversation, where it has any. */
  files?: FileTurn | undefined;
  /** Takes over what is not about tasks, where the agent has other tools too. */
  otherwise?: OtherTools;
}

interface OtherTools {
  plan(): Plan;
  /** The last message answers what was asked about one of them. */
  isAnswered(): boolean;
  isClearlyMeant(): boolean;
}

/** The chance of another topic up to which a question is answered from the list. */
const MAX_OTHER_TOPIC = 0.9;

/** Plans a turn about tasks; `turns` ends with it. */
export function* planTaskTurn(turns: readonly TurnView[], talk: TaskTalk, depth = 0): Plan<Pending> {
  const past = turns.slice(0, -1);
  const text = (turns.at(-1)?.message.content ?? '').slice(0, MAX_READ_CHARS);
  const names = findTaskTools(talk.tools, talk.intents);
  const reading = talk.readings?.get(past.length);
  const context: TaskContext = {
    text,
    heard: reading?.labels,
    zone: createZone(talk),
    names,
    intents: talk.intents,
    memory: recallTasks(past, names),
    changeable: new Set(argumentNames(talk.tools, names.update)),
  };
  const pending = depth < MAX_QUESTIONS ? recallQuestion(past, talk, depth) : undefined;
  const isOther =
    (pending?.kind === 'fill' && (isOwnRequest(reading) || addsSeveral(reading))) ||
    (pending?.kind === 'fill' &&
      pending.missing !== 'title' &&
      isNewTask(reading, []) &&
      peel(text).asking !== 'none') ||
    (pending?.kind === 'choose' && (isNewTask(reading, pending.candidates) || isOtherChange(reading, pending.command)));
  const isAnswer = pending && !isQuestion(text) && !isOther;
  const answer = isAnswer ? answerPending(pending, text, context.zone) : { kind: 'other' as const };
  // An answer settles a guess.
  const answered = answer.kind === 'command' ? [answer.command] : answer.kind === 'commands' ? answer.commands : [];
  if (answered.length > 0)
    return yield* runCommands(
      answered.map((command) => ({ ...command, isGuess: false, isSettled: !command.isNamed })),
      context,
    );
  if (answer.kind === 'choose') return toReply([askAgain(answer.command, answer.candidates, context)]);
  if (answer.kind === 'confirm') return toReply([confirmAnswer(answer, context)]);
  if (answer.kind === 'dropped')
    return {
      text: "All right, I've left everything as it is.",
      intents: [{ name: 'unknown', confidence: 0.9, parameters: {} }],
    };
  const last = answerLast(cleanText(text), context);
  if (last) return toReply([last]);
  const grammar = yield* readByGrammar(text, { talk, context, pending });
  const isHeard = isOpen(grammar) && !talk.otherwise;
  const learned = isHeard ? yield* readByMarks(asRead(text), reading, context) : undefined;
  const { memory, zone } = context;
  const scene = { tasks: context.list?.tasks ?? memory.known, memory, zone };
  const settled = settleReadings({ text, grammar, learned, offTopic: offTopicOf(text, talk.proposer), scene });
  if (settled.kind !== 'none') return yield* runSettled(settled, { isAsked: pending !== undefined, context });
  const { understood, isUnclear } = settled;
  if (isUnclear && pending?.kind === 'choose') {
    return toReply([askAgain(pending.command, pending.candidates, context)]);
  }
  const isForOthers = isUnclear && depth === 0 && talk.otherwise?.isAnswered();
  const isVagueWithFile = understood.kind === 'vague' && talk.files?.hasBrought;
  const isNotOurs = understood.kind === 'other' && /^(?:unknown|elsewhere|help)$/.test(understood.topic);
  if ((isNotOurs || isVagueWithFile || isForOthers) && talk.otherwise) {
    const { text: said, intents } = yield* talk.otherwise.plan();
    return { text: said, intents };
  }
  const known =
    understood.kind === 'other' && isNotOurs
      ? yield* answerFromTasks(text, understood, { context, proposer: talk.proposer })
      : undefined;
  return known ?? sayOther(understood, context, whyUnable(text) ?? nearlyNothing(text, context));
}

/** Orders about a task that no task list of ours obeys. */
const UNSUPPORTED =
  /^(?:(?:please|and|now|then|also|can you|could you)[\s,]+)*(?:assign|share) (?:it|this|that|them|the task|that one)\b/i;

/** Offers, or does what was understood. */
function* runSettled(
  settled: Exclude<GrammarReading, { kind: 'none' }>,
  { isAsked, context }: { isAsked: boolean; context: TaskContext },
): Plan<Pending> {
  const { text, zone } = context;
  const unable = UNSUPPORTED.test(text) ? whyUnable(text) : undefined;
  if (unable !== undefined) return { text: unable, intents: [{ name: 'unknown', confidence: 0.8, parameters: {} }] };
  if (settled.kind === 'commands')
    return isIdleRemark(settled.commands, text)
      ? toReply([leaveErrand(settled.commands)])
      : yield* runCommands(settled.commands, context);
  const appointment = isAsked ? undefined : readAppointment(text, settled.reply, zone);
  return appointment ? yield* runCommands([appointment], context) : settled.reply;
}

/** "I must have lost my keys" adds nothing. */
function isIdleRemark(commands: readonly Command[], text: string): boolean {
  return commands.every(({ action, slots }) => action === 'create' && slots.title) && isNoErrand(text);
}

function leaveErrand(commands: readonly Command[]): Done {
  return leaveAlone(`add ${commands.map(({ slots: { title = '' } }) => title).join(', ')}.`);
}

/** The chance of another topic by the n-gram model. */
function offTopicOf(text: string, proposer: Proposer): number {
  return proposer.propose(cleanText(text)).intents.unknown;
}

/** A message that is no command, answered from the user's own tasks or offered as a new one. */
function* answerFromTasks(
  text: string,
  understood: Extract<Understanding, { kind: 'other' }>,
  { context, proposer }: { context: TaskContext; proposer: Proposer },
): Work<PlanReply<Pending> | undefined> {
  const clean = cleanText(text);
  const isOtherTopic = isWork(text) || offTopicOf(text, proposer) > MAX_OTHER_TOPIC;
  const known =
    (yield* answerFromList(text, understood, context)) ??
    (yield* lookUpMentioned(clean, context)) ??
    (isOtherTopic ? undefined : yield* answerAsked(clean, context));
  if (known) return toReply([known]);
  const isOurs = understood.topic === 'unknown' && !isQuestion(text) && isDatedThing(clean, context.zone);
  return isOurs ? offerReadings({ words: clean, readings: [], confidence: 0.5 }, context.zone) : undefined;
}

/** "have I paid the rent?" is ours where such a task is on the list. */
function* answerFromList(
  text: string,
  { confidence }: { confidence: number },
  context: TaskContext,
): Work<Done | undefined> {
  const about = readOwnQuestion(cleanText(text))?.about ?? '';
  return about === '' ? undefined : yield* lookUpKnown({ action: 'list', confidence, slots: { ref: about } }, context);
}

const WHAT_LAST =
  /^what (?:did|have) (?:i|you|we) (?:(?:just|last) (?:delete|remove|add|change|do|mark|complete|rename|move|undo)|(?:delete|remove|rename|undo))\w*(?: (?:just(?: now)?|last))?\W*$/i;

/** "what did I just delete?" */
function answerLast(text: string, { memory: { changes } }: TaskContext): Done | undefined {
  if (!WHAT_LAST.test(text) || changes.length === 0) return undefined;
  return done({ action: 'list', confidence: 0.7, slots: {} }, `I last ${describeLast(changes)}.`);
}

/** A question leaves our own question open; only an answer or an order settles it. */
function isQuestion(text: string): boolean {
  return readQuestion(cleanText(text)) !== undefined;
}

/** The question that the last reply asked, found by playing that turn again: what was said must be what we would say. */
function recallQuestion(past: readonly TurnView[], talk: TaskTalk, depth: number): Pending | undefined {
  const last = past.at(-1);
  if (!last || !asksBack(last)) return undefined;
  const then = { ...talk, now: new Date(last.message.timestamp) };
  const step = playPlan(planTaskTurn(past, then, depth + 1), last.records);
  return step.type === 'reply' && step.reply.text === last.reply ? step.reply.pending : undefined;
}

/** Runs all commands in order; at most one question is left open, the last thing that is said. */
function* runCommands(commands: readonly Command[], context: TaskContext): Plan<Pending> {
  const results: Done[] = [];
  for (const command of commands) {
    const result = yield* runCommand(command, context);
    const isSecondQuestion = result.pending && results.some((other) => other.pending);
    results.push(isSecondQuestion ? { ...result, text: `I have left this open for now: ${result.text}` } : result);
  }
  return toReply(results);
}

function* runCommand(command: Command, context: TaskContext): Work<Done> {
  switch (command.action) {
    case 'create':
      return yield* planCreate(command, context);
    case 'list':
      return yield* planLookup(command, context);
    case 'undo':
    case 'dismiss':
    case 'restore':
      return yield* planReverse({ ...command, action: command.action }, context);
    default:
      return yield* planChange({ ...command, action: command.action }, context);
  }
}

function toReply(results: readonly Done[]): PlanReply<Pending> {
  const open = results.find((result) => result.pending);
  const ordered = open ? [...results.filter((result) => result !== open), open] : results;
  return {
    text: ordered.map((result) => result.text).join('\n'),
    intents: results.map((result) => result.intent),
    pending: open?.pending,
  };
}

function confirmAnswer(
  { command, candidates }: { command: Command; candidates: KnownTask[] },
  context: TaskContext,
): Done {
  const [task] = candidates;
  if (command.action !== 'update' || !task) return confirmSeveral(command, candidates, context);
  return ask(command, `Shall I ${describeChange(command, task)}?`, { kind: 'confirm', command, candidates });
}

function askAgain(command: Command, candidates: TaskContext['memory']['shown'], { zone }: TaskContext): Done {
  const named = nameTasks(candidates, 'or', zone);
  return ask(command, `Which task did you mean: ${named}?`, { kind: 'choose', command, candidates });
}
