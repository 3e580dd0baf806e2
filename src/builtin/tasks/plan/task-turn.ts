import { startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText } from '../../../language/clean-text.ts';
import { withoutCourtesy } from '../../../language/filler-words.ts';
import { createZone } from '../../../language/zoned-time.ts';
import type { ToolDefinition } from '../../../models/model.ts';
import type { IntentConfig } from '../../../schema/agent.ts';
import type { Json } from '../../../schema/json.ts';
import type { TurnView } from '../../conversation.ts';
import type { FileTurn } from '../../files/plan-files.ts';
import type { Plan, PlanReply } from '../../plan.ts';
import type { Reading } from '../../reader/reading.ts';
import type { Command, Done, Pending } from '../command.ts';
import { ask, lookUpTasks, type TaskContext, tasksOf, type Work } from '../context.ts';
import type { KnownTask } from '../known-task.ts';
import { type Plain, readPlain } from '../plain/read-plain.ts';
import { MAX_READ_CHARS, type Proposal, readMessage, settleReport } from '../read/read-message.ts';
import { findMentioned, resolve } from '../resolve.ts';
import { recallTasks } from '../task-memory.ts';
import { argumentNames, findTaskTools } from '../task-tools.ts';
import type { Answer } from './answer-choice.ts';
import { answerPending } from './answer-pending.ts';
import { confirmation, describeChange, nameTasks } from './describe-change.ts';
import { offerChoices, offerWords } from './offers.ts';
import { answerQuestion } from './plan-lookup.ts';
import { runCommands, toReply } from './run-commands.ts';
import { sayOther, whyUnable } from './unable.ts';

export interface TaskTalk {
  intents: Readonly<Record<string, IntentConfig>>;
  tools: readonly ToolDefinition[];
  timezone: string;
  now: Date;
  /** Learned readings of messages, by the place of their turn. */
  readings?: ReadonlyMap<number, Reading> | undefined;
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

/** How many questions in a caller's history are followed back. */
const MAX_QUESTIONS = 3;

/** Plans a turn about tasks; `turns` ends with it. An open question goes along with the reply as data. */
export function* planTaskTurn(turns: readonly TurnView[], talk: TaskTalk): Plan<Pending> {
  const reply = yield* planTurn(turns, talk, 0);
  // Values that are undefined do not belong to JSON.
  return reply.pending ? { ...reply, data: { pending: JSON.parse(JSON.stringify(reply.pending)) } } : reply;
}

/** Plain forms act, else the reader proposes; what neither understands is left to other tools or declined. */
function* planTurn(turns: readonly TurnView[], talk: TaskTalk, depth: number): Plan<Pending> {
  const context = contextOf(turns, talk);
  const past = turns.slice(0, -1);
  const isSeeded = past.at(-1)?.isSeeded === true;
  const pending = isSeeded ? yield* askedBefore(past, talk, { context, depth }) : keptQuestion(past);
  const answer: Answer = pending ? answerPending(pending, context, isSeeded) : { kind: 'other' };
  if (pending && answer.kind !== 'other') return yield* runAnswer(answer, pending, context);
  const plain = readPlain(context.text, context.zone);
  const isOrder = plain?.kind === 'commands' && plain.commands.every(({ evidence }) => evidence === 'plain');
  if (talk.otherwise && ((!isOrder && talk.otherwise.isAnswered()) || isForOthers(plain, talk, context.text)))
    return yield* runOthers(talk.otherwise);
  const isAway = isElsewhere(plain, context);
  const acted = plain && !isAway && !(yield* isAstray(plain, context)) ? yield* runPlain(plain, context) : undefined;
  if (acted) return acted;
  const proposal = yield* readMessage(context);
  const isOurs = !talk.otherwise || isSureOf(proposal, context);
  const proposed = isOurs ? yield* runProposal(proposal, plain, context) : undefined;
  if (proposed) return proposed;
  if (pending?.kind === 'choose' && context.text.split(/\s+/).length <= MAX_CHOICE_WORDS)
    return toReply(askAgain(pending.command, pending.candidates, context));
  const isTask = !/\s/.test(context.text.trim()) && findMentioned(context.text, context.memory.known).length > 0;
  if (talk.otherwise && !isTask) return yield* runOthers(talk.otherwise);
  // Plain words about a task that is not there say so themselves.
  const isSaid = plain && !isAway && (context.reading?.labels.other ?? 0) < ELSEWHERE;
  const said = isSaid ? yield* runPlain(plain, context) : undefined;
  return said ?? sayNothing(proposal, plain, context);
}

const MAX_CHOICE_WORDS = 5;

/** Words that only this program is asked with. */
const OURS =
  /\b(?:tasks?|to-?dos?|to do|remind(?:er)?s?|remember|(?:my|the|shopping|grocery) list|forget|undo|done|overdue)\b|["“']/i;

/** A form that fits many programs, where the reader is sure of another topic and no task of the conversation is named. */
function isElsewhere(plain: Plain | undefined, { text, reading, memory }: TaskContext): boolean {
  if (plain?.kind !== 'commands' || (reading?.labels.other ?? 0) < ELSEWHERE || OURS.test(text)) return false;
  const isAny = plain.commands.every(({ action, missing }) => action === 'list' || missing === 'change');
  return isAny && findMentioned(text, memory.known).length === 0;
}

/** A plain change whose words name no task may have a reason behind its name: the reader sees where the name ends. */
function* isAstray(plain: Plain, context: TaskContext): Work<boolean> {
  const [only, another] = plain.kind === 'commands' ? plain.commands : [];
  const { ref } = only?.slots ?? {};
  const isChange = only?.action === 'delete' || only?.action === 'complete' || only?.action === 'update';
  if (another || !isChange || ref === undefined || context.reading === undefined) return false;
  if (!ref.includes(' ') && only?.evidence === 'plain') return false;
  const found = resolve(ref, yield* tasksOf(context), context.memory);
  return found.kind === 'none' || found.how === 'similar';
}

/** The question that our last reply left open. */
function keptQuestion(past: readonly TurnView[]): Pending | undefined {
  // Only our own replies carry data; it has the shape that `planTaskTurn` gave it.
  return past.at(-1)?.data?.pending as Pending | undefined;
}

function contextOf(turns: readonly TurnView[], talk: TaskTalk): TaskContext {
  const names = findTaskTools(talk.tools, talk.intents);
  return {
    text: (turns.at(-1)?.message.content ?? '').slice(0, MAX_READ_CHARS),
    reading: talk.readings?.get(turns.length - 1),
    zone: createZone(talk),
    names,
    intents: talk.intents,
    memory: recallTasks(turns.slice(0, -1), names),
    changeable: new Set(argumentNames(talk.tools, names.update)),
  };
}

/**
 * The question in a text that a caller sent as ours. It counts only if we would ask exactly that now: the message before it is
 * read again with the present list, and the words are compared.
 */
function* askedBefore(
  past: readonly TurnView[],
  talk: TaskTalk,
  { context, depth }: { context: TaskContext; depth: number },
): Work<Pending | undefined> {
  const { reply = '' } = past.at(-1) ?? {};
  if (depth >= MAX_QUESTIONS || !/\?(?: \(yes or no\))?$/.test(reply.trim())) return undefined;
  const looked = yield* lookUpTasks(context);
  if ('error' in looked) return undefined;
  const plan = planTurn(past, talk, depth + 1);
  // A message that would have changed something was no question of ours.
  for (let step = plan.next(); ; ) {
    if (step.done) return step.value.text === reply ? step.value.pending : undefined;
    if (step.value.some(({ name }) => name !== context.names.list)) return undefined;
    step = plan.next(step.value.map(() => ({ result: looked.tasks as unknown as Json })));
  }
}

function* runAnswer(answer: Exclude<Answer, { kind: 'other' }>, pending: Pending, context: TaskContext): Plan<Pending> {
  const { next = [] } = pending;
  if (answer.kind === 'commands') return yield* runCommands([...answer.commands, ...next], context);
  if (answer.kind === 'choose') return withNext(toReply(askAgain(answer.command, answer.candidates, context)), next);
  if (answer.kind === 'confirm')
    return withNext(toReply(confirmAnswer(answer.command, answer.candidates, context)), next);
  const left = "All right, I've left everything as it is.";
  if (next.length > 0) return yield* runCommands(next, context, [left]);
  return { text: left, intents: [{ name: 'unknown', confidence: 0.9, parameters: {} }] };
}

function withNext(reply: PlanReply<Pending>, next: Command[]): PlanReply<Pending> {
  return reply.pending && next.length > 0 ? { ...reply, pending: { ...reply.pending, next } } : reply;
}

function askAgain(command: Command, candidates: KnownTask[], { zone }: TaskContext): Done {
  const named = nameTasks(candidates, 'or', zone);
  return ask(command, `Which task did you mean: ${named}?`, { kind: 'choose', command, candidates });
}

function confirmAnswer(command: Command, candidates: KnownTask[], { zone }: TaskContext): Done {
  const [task, another] = candidates;
  const isOne = task !== undefined && !another && command.action === 'update';
  const question = isOne ? `Shall I ${describeChange(command, task)}?` : confirmation(command, candidates, zone);
  return ask(command, question, { kind: 'confirm', command, candidates });
}

function* runPlain(plain: Plain, context: TaskContext): Work<PlanReply<Pending> | undefined> {
  if (plain.kind === 'topic') return sayOther(plain.topic, context);
  if (plain.kind === 'commands')
    return yield* runCommands(
      plain.commands.map((command) => settleReport(command, context.reading)),
      context,
    );
  const answered = yield* answerQuestion(plain.about, context);
  return answered && toReply(answered);
}

/** A new task that is not likely is offered; changes go to the policy, however likely they are. */
function* runProposal(
  proposal: Proposal | undefined,
  plain: Plain | undefined,
  context: TaskContext,
): Work<PlanReply<Pending> | undefined> {
  if (!proposal) return undefined;
  const { label, chance, commands } = proposal;
  if (commands) {
    // A question changes nothing, whatever order its words resemble.
    const isAsked = commands.some(({ action }) => action !== 'list') || chance < LIKELY_LIST;
    if (plain?.kind === 'question' && isAsked) return undefined;
    const areNew = commands.every(({ action }) => action === 'create');
    if (areNew && !/\s/.test(context.text.trim())) return offerWords(context.text, context.zone);
    if (areNew && commands.some(({ evidence }) => evidence === 'unlikely')) return offerChoices([commands]);
    return yield* runCommands(commands, context);
  }
  const isBack = (label === 'undo' || label === 'cancel') && context.memory.changes.length > 0;
  if (!isBack || chance < LEAST_BACK) return undefined;
  const evidence = chance >= LIKELY_BACK ? 'likely' : 'unlikely';
  return yield* runCommands(
    [{ action: label === 'undo' ? 'undo' : 'dismiss', confidence: chance, evidence, slots: {} }],
    context,
  );
}

const LIKELY_LIST = 0.9;
const LEAST_BACK = 0.5;
const LIKELY_BACK = 0.8;
/** The chance from which a message is about something else. */
const ELSEWHERE = 0.5;
const SURELY_ELSEWHERE = 0.95;
const MAX_OFFERED_WORDS = 8;

/** Neither forms nor the reader found something to do: words that may be a task are offered, others declined. */
function sayNothing(
  proposal: Proposal | undefined,
  plain: Plain | undefined,
  context: TaskContext,
): PlanReply<Pending> {
  const { reading, memory, text, zone } = context;
  const labels = reading?.labels;
  if (labels && labels.help >= ELSEWHERE && plain?.kind !== 'question') return sayOther('help', context);
  const elsewhere = Math.max(labels?.other ?? 0, labels?.chat ?? 0, labels?.help ?? 0, labels?.cancel ?? 0);
  const words = withoutCourtesy(cleanText(text)).words;
  const isShort = words.split(/\s+/).length <= MAX_OFFERED_WORDS && /\p{L}{2}/u.test(words);
  // In a talk about tasks an errand may be one more of them, whatever its topic.
  const isErrand = startsWithVerb(words) && memory.known.length > 0 && elsewhere < SURELY_ELSEWHERE;
  const isTask =
    plain === undefined &&
    (elsewhere < ELSEWHERE || isErrand) &&
    isShort &&
    (proposal?.label === 'add' || proposal?.label === 'unclear' || startsWithVerb(words));
  if (isTask && whyUnable(text) === undefined) return offerWords(text, zone);
  const isRemark = plain === undefined && (labels?.chat ?? 0) >= ELSEWHERE;
  return sayOther(isRemark ? 'remark' : 'unknown', context);
}

/** Where the agent has other tools, forms that could be about anything are left to a tool that clearly fits. */
function isForOthers(plain: Plain | undefined, { otherwise, files }: TaskTalk, text: string): boolean {
  if (plain?.kind === 'topic') return plain.topic === 'help';
  if (plain?.kind === 'question') return files?.hasBrought === true && !OURS.test(text);
  if (plain?.kind !== 'commands') return false;
  const isSure = plain.commands.every(
    ({ evidence, slots, action }) => evidence === 'plain' && (action !== 'create' || slots.title !== undefined),
  );
  return !isSure && ((files?.hasBrought === true && !OURS.test(text)) || otherwise?.isClearlyMeant() === true);
}

/** With other tools around, the reader only counts for tasks that the user has. */
function isSureOf(proposal: Proposal | undefined, { memory }: TaskContext): boolean {
  const isKnown = memory.known.length > 0 && proposal?.commands?.every(({ action }) => action !== 'create');
  return (proposal?.chance ?? 0) >= 0.9 && (isKnown === true || proposal?.label === 'add');
}

function* runOthers(otherwise: OtherTools): Plan<Pending> {
  const { text, intents } = yield* otherwise.plan();
  return { text, intents };
}
