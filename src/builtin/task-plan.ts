import type { ToolDefinition } from '../models/model.ts';
import type { IntentConfig } from '../schema/agent.ts';
import { answerPending } from './answer-pending.ts';
import { cleanText, stripPoliteness, unquote } from './clean-text.ts';
import type { TurnView } from './conversation.ts';
import { describeHelp } from './help-text.ts';
import type { IntentModel } from './intent-model.ts';
import { nameTasks } from './name-tasks.ts';
import { type Plan, type PlanReply, playPlan } from './plan.ts';
import { confirmSeveral } from './plan-bulk.ts';
import { planChange } from './plan-change.ts';
import { planCreate } from './plan-create.ts';
import type { FileTurn } from './plan-files.ts';
import { lookUpKnown, planLookup } from './plan-lookup.ts';
import { planUndo } from './plan-undo.ts';
import { readOwnQuestion, readQuestion } from './read-question.ts';
import { ask, type Command, type Desk, type Done, type Pending, type Work } from './task-desk.ts';
import { recallTasks } from './task-memory.ts';
import { argumentNames, findTaskTools } from './task-tools.ts';
import { type Understanding, understand } from './understand.ts';
import { createZone } from './zoned-time.ts';

export interface TaskTalk {
  intents: Readonly<Record<string, IntentConfig>>;
  tools: readonly ToolDefinition[];
  timezone: string;
  now: Date;
  model: IntentModel;
  /** The files of the conversation, where it has any. */
  files?: FileTurn | undefined;
  /** Takes over what is not about tasks, where the agent has other tools too. */
  otherwise?: OtherTools;
}

interface OtherTools {
  plan(): Plan;
  /** The last message answers what was asked about one of them. */
  isAnswered(): boolean;
}

/** Twice what a title may have; a longer message is no command, and reading it would take too long. */
const MAX_READ_CHARS = 1_000;
/** How many questions in a row are followed back to find out what an answer belongs to. */
const MAX_QUESTIONS = 5;

/** One turn of talk about tasks; `turns` ends with it. */
export function* planTaskTurn(turns: readonly TurnView[], talk: TaskTalk, depth = 0): Plan<Pending> {
  const past = turns.slice(0, -1);
  const text = (turns.at(-1)?.message.content ?? '').slice(0, MAX_READ_CHARS);
  const names = findTaskTools(talk.tools, talk.intents);
  const desk: Desk = {
    zone: createZone(talk),
    names,
    intents: talk.intents,
    memory: recallTasks(past, names),
    changeable: new Set(argumentNames(talk.tools, names.update)),
  };
  const pending = depth < MAX_QUESTIONS ? recallQuestion(past, talk, depth) : undefined;
  const answer = pending && !isQuestion(text) ? answerPending(pending, text, desk.zone) : { kind: 'other' as const };
  if (answer.kind === 'command') return yield* runCommands([answer.command], desk);
  if (answer.kind === 'choose') return toReply([askAgain(answer.command, answer.candidates, desk)]);
  if (answer.kind === 'confirm') return toReply([confirmSeveral(answer.command, answer.candidates, desk)]);
  if (answer.kind === 'dropped')
    return {
      text: "All right, I've left everything as it is.",
      intents: [{ name: 'unknown', confidence: 0.9, parameters: {} }],
    };
  const understood = understand(text, desk.zone, talk.model);
  if (understood.kind === 'commands') return yield* runCommands(understood.commands, desk);
  const isUnclear =
    understood.kind === 'vague' || (understood.kind === 'other' && /^(?:unknown|answer)$/.test(understood.topic));
  if (isUnclear && pending?.kind === 'choose') {
    return toReply([askAgain(pending.command, pending.candidates, desk)]);
  }
  const isForOthers = isUnclear && depth === 0 && talk.otherwise?.isAnswered();
  const isVagueWithFile = understood.kind === 'vague' && talk.files?.hasBrought;
  const isNotOurs = understood.kind === 'other' && /^(?:unknown|help)$/.test(understood.topic);
  if ((isNotOurs || isVagueWithFile || isForOthers) && talk.otherwise) {
    const { text: said, intents } = yield* talk.otherwise.plan();
    return { text: said, intents };
  }
  if (isNotOurs) {
    const known = yield* answerFromList(text, understood, desk);
    if (known) return toReply([known]);
  }
  return sayOther(understood, desk);
}

/** "have I paid the rent?" is ours where such a task is on the list. */
function* answerFromList(text: string, { confidence }: { confidence: number }, desk: Desk): Work<Done | undefined> {
  const about = readOwnQuestion(cleanText(text))?.about ?? '';
  return about === '' ? undefined : yield* lookUpKnown({ action: 'list', confidence, slots: { ref: about } }, desk);
}

/** A question leaves our own question open; only an answer or an order settles it. */
function isQuestion(text: string): boolean {
  return readQuestion(cleanText(text)) !== undefined;
}

/** The question that the last reply asked, found by playing that turn again: what was said must be what we would say. */
function recallQuestion(past: readonly TurnView[], talk: TaskTalk, depth: number): Pending | undefined {
  const last = past.at(-1);
  if (!last?.reply || !/\?|\(yes or no\)$/.test(last.reply)) return undefined;
  const then = { ...talk, now: new Date(last.message.timestamp) };
  const step = playPlan(planTaskTurn(past, then, depth + 1), last.records);
  return step.type === 'reply' && step.reply.text === last.reply ? step.reply.pending : undefined;
}

/** Runs all commands in order; at most one question is left open, the last thing that is said. */
function* runCommands(commands: readonly Command[], desk: Desk): Plan<Pending> {
  const results: Done[] = [];
  for (const command of commands) {
    const result = yield* runCommand(command, desk);
    const isSecondQuestion = result.pending && results.some((other) => other.pending);
    results.push(isSecondQuestion ? { ...result, text: `I have left this open for now: ${result.text}` } : result);
  }
  return toReply(results);
}

function* runCommand(command: Command, desk: Desk): Work<Done> {
  switch (command.action) {
    case 'create':
      return yield* planCreate(command, desk);
    case 'list':
      return yield* planLookup(command, desk);
    case 'undo':
      return yield* planUndo(command, desk);
    default:
      return yield* planChange({ ...command, action: command.action }, desk);
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

function askAgain(command: Command, candidates: Desk['memory']['shown'], { zone }: Desk): Done {
  const named = nameTasks(candidates, 'or', zone);
  return ask(command, `Which task did you mean: ${named}?`, { kind: 'choose', command, candidates });
}

function sayOther(
  understood: Exclude<Understanding, { kind: 'commands' }>,
  { intents, names }: Desk,
): PlanReply<Pending> {
  const help = intents.unknown?.reply ?? 'I can only help with your tasks.';
  if (understood.kind === 'vague') return offer(understood);
  const texts = {
    greeting: `Hello! ${help}`,
    thanks: "You're welcome!",
    others: 'I can only see and change your own tasks.',
    help: describeHelp(names),
    answer: 'There is nothing to confirm right now. Tell me what to do with your tasks, or say "help".',
    forbidden: "All right, I've left your tasks as they are.",
    unknown: help,
  };
  return {
    text: texts[understood.topic],
    intents: [{ name: 'unknown', confidence: round(understood.confidence), parameters: {} }],
  };
}

/** Words without a command may be a task to add; that is asked, never assumed. */
function offer({ words, confidence }: Extract<Understanding, { kind: 'vague' }>): PlanReply<Pending> {
  const title = unquote(stripPoliteness(words));
  const command: Command = { action: 'create', confidence, slots: { title } };
  const question = `I'm not sure what to do with '${title}'. Shall I add it to your tasks?`;
  const intent = {
    name: 'clarification_needed',
    confidence: round(confidence),
    parameters: {},
    clarification_question: question,
  };
  return { text: question, intents: [intent], pending: { kind: 'offer', command } };
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
