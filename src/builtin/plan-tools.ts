import type { ToolDefinition } from '../models/model.ts';
import type { IntentConfig } from '../schema/agent.ts';
import type { Intent } from '../schema/intent.ts';
import type { JsonObject } from '../schema/json.ts';
import { answerTool } from './answer-tool.ts';
import { READ_ATTACHMENT } from './attached-files.ts';
import { asksToRemove, effectOf, rankTools, type ToolChoice, type ToolKnowledge } from './choose-tool.ts';
import { cleanText } from './clean-text.ts';
import { type Outcome, readIds, type TurnView } from './conversation.ts';
import { describeOutcome } from './describe-result.ts';
import { type FillContext, type FilledArguments, fillArguments } from './fill-arguments.ts';
import { asksWhether, forbids } from './forbids.ts';
import { type Plan, type PlannedCall, type PlanReply, playPlan } from './plan.ts';
import { describeFiles, type FileTurn } from './plan-files.ts';
import { fillTemplate } from './reply.ts';
import { splitQuestions } from './split-questions.ts';
import type { PendingTool, ToolCommand } from './tool-command.ts';
import { enumOf, readToolDocument } from './tool-document.ts';
import type { WordVectors } from './word-vectors.ts';
import { createZone } from './zoned-time.ts';

export interface ToolTalk {
  intents: Readonly<Record<string, IntentConfig>>;
  tools: readonly ToolDefinition[];
  timezone: string;
  now: Date;
  vectors: WordVectors;
  /** The files of the conversation, where it has any. */
  files?: FileTurn | undefined;
}

const DECLINE_BELOW = 0.5;
const CONFIRM_WRITE_BELOW = 0.8;
const MAX_QUESTIONS = 5;
const MAX_TOOLS_NAMED = 8;
const MAX_OPTIONS_NAMED = 12;
const MAX_READ_CHARS = 4_000;

/** One turn of talk with tools that nobody has told us about: chosen and filled by their schemas. */
export function* planToolTurn(turns: readonly TurnView[], talk: ToolTalk, depth = 0): Plan<PendingTool> {
  const text = readText(turns);
  const answer = readAnswer(turns, talk, depth);
  if (answer === 'dropped') return leave();
  if (answer) return yield* runTool(answer, text, talk);
  const knowledge: ToolKnowledge = {
    documents: talk.tools.map(readToolDocument),
    intents: talk.intents,
    vectors: talk.vectors,
  };
  const commands = chooseTools(text, knowledge, fillContext(turns, talk));
  const [first] = commands;
  if (talk.files && isAboutFiles(first, talk.files)) return yield* readFiles(talk.files);
  if (!first) return decline(talk);
  if (forbids(cleanText(text)) && commands.some(({ choice }) => effectOf(choice.document) !== 'read')) return leave();
  return commands.length === 1 ? yield* runTool(first, text, talk) : yield* runAll(commands, talk);
}

function leave(): PlanReply<PendingTool> {
  return say("All right, I've left everything as it is.", []);
}

/** Whether the last message answers a question about these tools. */
export function answersToolQuestion(turns: readonly TurnView[], talk: ToolTalk): boolean {
  return readAnswer(turns, talk, 0) !== undefined;
}

function readAnswer(turns: readonly TurnView[], talk: ToolTalk, depth: number): ReturnType<typeof answerTool> {
  const pending = depth < MAX_QUESTIONS ? recallQuestion(turns.slice(0, -1), talk, depth) : undefined;
  return pending ? answerTool(pending, readText(turns), fillContext(turns, talk)) : undefined;
}

function readText(turns: readonly TurnView[]): string {
  return (turns.at(-1)?.message.content ?? '').slice(0, MAX_READ_CHARS);
}

function fillContext(turns: readonly TurnView[], talk: ToolTalk): FillContext {
  return { zone: createZone(talk), ids: readIds(turns.slice(0, -1)) };
}

/** A message that brings a file and fits no tool is about that file. */
function isAboutFiles(first: ToolCommand | undefined, files: FileTurn): boolean {
  return first ? nameOf(first) === READ_ATTACHMENT : files.hasBrought;
}

function* readFiles(files: FileTurn): Plan<PendingTool> {
  const { text, intents } = yield* files.plan();
  return say(text, intents);
}

function recallQuestion(past: readonly TurnView[], talk: ToolTalk, depth: number): PendingTool | undefined {
  const last = past.at(-1);
  if (!last?.reply?.includes('?')) return undefined;
  const step = playPlan(
    planToolTurn(past, { ...talk, now: new Date(last.message.timestamp) }, depth + 1),
    last.records,
  );
  return step.type === 'reply' && step.reply.text === last.reply ? step.reply.pending : undefined;
}

/** The best tool for the message, or one for each of its questions where those are clear and only read. */
function chooseTools(text: string, knowledge: ToolKnowledge, context: FillContext): ToolCommand[] {
  const toCommand = (choice: ToolChoice, words: string): ToolCommand => ({
    choice,
    filled: fillArguments(choice.document.tool.inputSchema, words, context),
    isConfirmed: false,
  });
  const parts = splitQuestions(text).flatMap((part) => {
    const [best] = rankTools(part, knowledge);
    return best && best.confidence >= DECLINE_BELOW && effectOf(best.document) === 'read'
      ? [toCommand(best, part)]
      : [];
  });
  const distinct = parts.filter((part, index) => parts.findIndex((other) => nameOf(other) === nameOf(part)) === index);
  if (distinct.length > 1 && distinct.every((part) => part.filled.missing.length === 0)) return distinct;
  const [best] = rankTools(text, knowledge);
  return best && best.confidence >= DECLINE_BELOW ? [toCommand(best, text)] : [];
}

function* runTool(command: ToolCommand, text: string, talk: ToolTalk): Plan<PendingTool> {
  const [missing] = command.filled.missing;
  if (missing) return askFor(command, missing);
  if (needsConfirmation(command, text)) return confirm(command);
  const [outcome] = yield [toCall(command)];
  return say(describe(command, outcome, talk), [toIntent(command)]);
}

function* runAll(commands: readonly ToolCommand[], talk: ToolTalk): Plan<PendingTool> {
  const outcomes = yield commands.map(toCall);
  const texts = commands.map((command, index) => describe(command, outcomes[index], talk));
  return say(texts.join('\n\n'), commands.map(toIntent));
}

function needsConfirmation({ choice, isConfirmed }: ToolCommand, text: string): boolean {
  if (isConfirmed) return false;
  const effect = effectOf(choice.document);
  if (effect === 'read') return false;
  if (choice.confidence < CONFIRM_WRITE_BELOW || asksWhether(text)) return true;
  return asksToRemove(text) !== (effect === 'remove');
}

function askFor(command: ToolCommand, missing: FilledArguments['missing'][number]): PlanReply<PendingTool> {
  const question = `What should I use for ${toLabel(missing.name)}?${hintFor(missing.schema)}`;
  return ask(command, question, { kind: 'fill', command, missing });
}

/** What is meant, and what there is to choose from. */
function hintFor(schema: JsonObject): string {
  const meaning = typeof schema.description === 'string' ? [schema.description.replace(/[.?!]\s*$/, '')] : [];
  const options = enumOf(schema).map(String);
  const choice = options.length > 0 && options.length <= MAX_OPTIONS_NAMED ? [options.join(', ')] : [];
  const hint = [...meaning, ...choice].join(': ');
  return hint === '' ? '' : ` (${hint})`;
}

function confirm(command: ToolCommand): PlanReply<PendingTool> {
  const values = Object.entries(command.filled.arguments).map(
    ([name, value]) => `${toLabel(name)} ${JSON.stringify(value)}`,
  );
  const withValues = values.length > 0 ? ` with ${values.join(', ')}` : '';
  return ask(command, `Shall I run ${nameOf(command)}${withValues}? (yes or no)`, { kind: 'confirm', command });
}

function ask(command: ToolCommand, question: string, pending: PendingTool): PlanReply<PendingTool> {
  const name = pending.kind === 'fill' ? 'clarification_needed' : command.choice.intent;
  return { text: question, intents: [{ ...toIntent(command), name, clarification_question: question }], pending };
}

function decline({ tools, intents }: ToolTalk): PlanReply<PendingTool> {
  const named = tools
    .slice(0, MAX_TOOLS_NAMED)
    .map((tool) => `- ${toLabel(tool.name)}${tool.description ? `: ${firstSentence(tool.description)}` : ''}`);
  const help =
    tools.length === 0
      ? "I don't have any tools here."
      : `I can't help with that. Here is what I can do:\n${named.join('\n')}`;
  return say(intents.unknown?.reply ?? help, [{ name: 'unknown', confidence: 0.8, parameters: {} }]);
}

function describe({ choice, filled }: ToolCommand, outcome: Outcome | undefined, { intents }: ToolTalk): string {
  if (!outcome) return "I couldn't finish this.";
  if (choice.document.tool.name === READ_ATTACHMENT) return describeFiles([filled.arguments], [outcome]);
  const template = intents[choice.intent]?.reply;
  if (template === undefined || 'error' in outcome) return describeOutcome(outcome);
  const told =
    typeof outcome.result === 'object' && outcome.result !== null && !Array.isArray(outcome.result)
      ? outcome.result
      : {};
  const text = fillTemplate(template, toTexts({ ...filled.arguments, ...told, result: describeOutcome(outcome) }));
  return text === '' ? describeOutcome(outcome) : text;
}

function toTexts(values: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function toCall({ choice, filled }: ToolCommand): PlannedCall {
  return { name: choice.document.tool.name, arguments: filled.arguments };
}

function toIntent({ choice, filled }: ToolCommand): Intent {
  return { name: choice.intent, confidence: Math.round(choice.confidence * 100) / 100, parameters: filled.arguments };
}

function nameOf({ choice }: ToolCommand): string {
  return choice.document.tool.name;
}

function toLabel(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[._-]+/g, ' ')
    .toLowerCase();
}

function firstSentence(text: string): string {
  return text.split(/(?<=[.!?])\s/)[0] ?? text;
}

function say(text: string, intents: Intent[]): PlanReply<PendingTool> {
  return { text, intents };
}
