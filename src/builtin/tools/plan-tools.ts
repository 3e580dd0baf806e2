import { cleanText, stripPoliteness } from '../../language/clean-text.ts';
import { splitQuestions } from '../../language/tokens.ts';
import type { WordVectors } from '../../language/word-vectors.ts';
import { createZone } from '../../language/zoned-time.ts';
import type { ToolDefinition } from '../../models/model.ts';
import type { IntentConfig } from '../../schema/agent.ts';
import type { Intent } from '../../schema/domain.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import { type Outcome, readIds, type TurnView } from '../conversation.ts';
import { READ_ATTACHMENT } from '../files/attached-files.ts';
import { describeFiles, type FileTurn } from '../files/plan-files.ts';
import { type Plan, type PlannedCall, type PlanReply, playPlan } from '../plan.ts';
import { fillTemplate } from '../reply.ts';
import { actionsOf } from './actions.ts';
import type { PendingTool, ToolCommand } from './answer-tool.ts';
import { answerTool, CONFIRM_WRITE_BELOW, joinCalls, needsConfirmation, splitCounted } from './answer-tool.ts';
import type { FillContext } from './arguments/candidate.ts';
import type { FilledArguments } from './arguments/fill-arguments.ts';
import { rankTools, type ToolKnowledge } from './choose-tool.ts';
import { describeOutcome, toLabel } from './describe-result.ts';
import { asksForFact, asksWhether, isProhibition } from './message-signals.ts';
import { enumOf, readToolDocument, splitWords } from './tool-document.ts';
import { effectOf } from './tool-effect.ts';

export interface ToolTalk {
  intents: Readonly<Record<string, IntentConfig>>;
  tools: readonly ToolDefinition[];
  timezone: string;
  now: Date;
  vectors: WordVectors;
  /** The files of the conversation, if it has any. */
  files?: FileTurn | undefined;
}

const DECLINE_BELOW = 0.5;
/** A question about a tool that is hardly meant is worse than none. */
const ASK_FROM = { read: 0.55, change: 0.62 };
/** A message that forbids something needs no certainty: nothing is done either way. */
const FORBIDDEN_FROM = 0.15;
const MAX_QUESTIONS = 5;
const MAX_PARTS = 4;
const MAX_TOOLS_NAMED = 8;
const MAX_OPTIONS_NAMED = 12;
const MAX_READ_CHARS = 4_000;

/** Plans a turn with unknown tools: they are chosen and filled according to their schemas. */
export function* planToolTurn(turns: readonly TurnView[], talk: ToolTalk, depth = 0): Plan<PendingTool> {
  const text = readText(turns);
  const answer = readAnswer(turns, talk, depth);
  if (answer === 'dropped') return leave();
  if (answer) return yield* runTool(answer, text, talk);
  const knowledge = knowTools(text, talk);
  const context = fillContext(turns, talk);
  if (isForbidden(text, knowledge, context)) return leave();
  const commands = chooseTools(text, knowledge, context);
  const [first] = commands;
  if (talk.files && isAboutFiles(first, talk.files)) return yield* readFiles(talk.files);
  if (!first) return decline(talk);
  return commands.length === 1 ? yield* runTool(first, text, talk) : yield* runAll(commands, talk);
}

/** True if one of these tools is clearly meant by the last message, and nothing is missing for its call. */
export function clearlyMeansTool(turns: readonly TurnView[], talk: ToolTalk): boolean {
  const text = readText(turns);
  const [best] = chooseTools(text, knowTools(text, talk), fillContext(turns, talk));
  return best !== undefined && best.choice.confidence >= CONFIRM_WRITE_BELOW && best.filled.missing.length === 0;
}

/** A question for a fact is answered by a tool that only reads. */
function knowTools(text: string, { tools, intents, vectors }: ToolTalk): ToolKnowledge {
  const documents = tools.map(readToolDocument);
  const reading = asksForFact(text) ? documents.filter((document) => effectOf(document) === 'read') : documents;
  return { documents: reading, intents, vectors };
}

function leave(): PlanReply<PendingTool> {
  return say("All right, I've left everything as it is.", []);
}

/** True if the last message answers a question about these tools. */
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
  return { zone: createZone(talk), ids: readIds(turns.slice(0, -1)), vectors: talk.vectors };
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

/** True if the message forbids what one of the tools would change. */
function isForbidden(text: string, knowledge: ToolKnowledge, context: FillContext): boolean {
  if (!isProhibition(cleanText(text))) return false;
  const [best] = rankTools(text, knowledge, context);
  return best !== undefined && best.confidence >= FORBIDDEN_FROM && effectOf(best.document) !== 'read';
}

/** The best tool for the message, or one per question if the questions are clear and only read. */
function chooseTools(text: string, knowledge: ToolKnowledge, context: FillContext): ToolCommand[] {
  const bestFor = (words: string): ToolCommand[] => {
    const [choice] = rankTools(words, knowledge, context);
    return choice && choice.confidence >= DECLINE_BELOW ? [{ choice, filled: choice.filled, isConfirmed: false }] : [];
  };
  const questions = splitQuestions(text).filter(asksByItself);
  const isSeveral = questions.length > 1 && questions.length <= MAX_PARTS;
  const parts = (isSeveral ? questions : [])
    .flatMap(bestFor)
    .filter(({ choice }) => effectOf(choice.document) === 'read');
  const distinct = parts.filter((part, index) => parts.findIndex((other) => nameOf(other) === nameOf(part)) === index);
  if (distinct.length > 1 && distinct.every((part) => part.filled.missing.length === 0)) return distinct;
  const [best] = bestFor(text);
  if (!best) return [];
  const calls = joinCalls(best, splitCounted(text).slice(0, MAX_PARTS).flatMap(bestFor));
  return calls.some((part) => needsConfirmation(part, text)) ? [best] : calls;
}

/** A part is a request of its own if it begins with a verb or a question word. */
function asksByItself(part: string): boolean {
  return actionsOf(splitWords(stripPoliteness(part)).slice(0, 2)).size > 0;
}

function* runTool(command: ToolCommand, text: string, talk: ToolTalk): Plan<PendingTool> {
  const [missing] = command.filled.missing;
  const isChange = effectOf(command.choice.document) !== 'read';
  if (missing && isChange && asksWhether(text)) return decline(talk);
  const isDoubtful = !command.isConfirmed && command.choice.confidence < (isChange ? ASK_FROM.change : ASK_FROM.read);
  if (missing) return isDoubtful ? decline(talk) : askFor(command, missing);
  if (needsConfirmation(command, text)) return isDoubtful ? decline(talk) : confirm(command);
  const [outcome] = yield [toCall(command)];
  return say(describe(command, outcome, talk), [toIntent(command)]);
}

function* runAll(commands: readonly ToolCommand[], talk: ToolTalk): Plan<PendingTool> {
  const outcomes = yield commands.map(toCall);
  const texts = commands.map((command, index) => describe(command, outcomes[index], talk));
  return say(texts.join('\n\n'), commands.map(toIntent));
}

function askFor(command: ToolCommand, missing: FilledArguments['missing'][number]): PlanReply<PendingTool> {
  const question = `What should I use for ${toLabel(missing.name)}?${hintFor(missing.schema)}`;
  return ask(command, question, { kind: 'fill', command, missing });
}

/** The argument's meaning, and the values to choose from. */
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
  const { left } = command.filled.use;
  const without = left.length > 0 ? `, without ${left.join(', ')}` : '';
  return ask(command, `Shall I run ${nameOf(command)}${withValues}${without}? (yes or no)`, {
    kind: 'confirm',
    command,
  });
}

function ask(command: ToolCommand, question: string, pending: PendingTool): PlanReply<PendingTool> {
  const name = pending.kind === 'fill' ? 'clarification_needed' : command.choice.intent;
  return { text: question, intents: [{ ...toIntent(command), name, clarification_question: question }], pending };
}

function decline({ tools, intents }: ToolTalk): PlanReply<PendingTool> {
  return say(intents.unknown?.reply ?? listTools(tools), [{ name: 'unknown', confidence: 0.8, parameters: {} }]);
}

const MEMBER =
  /^(?:Gives a task|Hands the conversation (?:over|back)) to ([^:.]+)(?:: (.+?))?\. (?:Returns|It has|From)/s;

/** The answer when no tool fits. A member of a team is listed by its own name and description. */
export function listTools(tools: readonly Pick<ToolDefinition, 'name' | 'description'>[]): string {
  const named = tools.slice(0, MAX_TOOLS_NAMED).map(({ name, description }) => {
    const [, member, about = ''] = MEMBER.exec(description) ?? [undefined, toLabel(name), firstSentence(description)];
    return `- ${member}${about && `: ${about}`}`;
  });
  if (named.length === 0) return "I don't have any tools here.";
  return `I can't help with that. Here is what I can do:\n${named.join('\n')}`;
}

/** The tool's own answer, and the values of the message that no argument took. */
function describe({ choice, filled }: ToolCommand, outcome: Outcome | undefined, { intents }: ToolTalk): string {
  if (!outcome) return "I couldn't finish this.";
  if (choice.document.tool.name === READ_ATTACHMENT) return describeFiles([filled.arguments], [outcome]);
  const template = 'error' in outcome ? undefined : intents[choice.intent]?.reply;
  const plain = describeOutcome(outcome);
  const told = 'result' in outcome && isObject(outcome.result) ? outcome.result : {};
  const text = template && fillTemplate(template, toTexts({ ...filled.arguments, ...told, result: plain }));
  const { left } = filled.use;
  return left.length === 0 ? text || plain : `${text || plain}\nI left out: ${left.join(', ')}.`;
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

function firstSentence(text: string): string {
  return text.split(/(?<=[.!?])\s/)[0] ?? text;
}

function say(text: string, intents: Intent[]): PlanReply<PendingTool> {
  return { text, intents };
}
