import { AppError } from '../../errors.ts';
import { systemIds } from '../../ids.ts';
import { fileFromPath } from '../../runtime/files/attached-file.ts';
import { sinceSummary } from '../../runtime/turn/summary.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { Event, KnownName } from '../../schema/conversation/event.ts';
import { isText } from '../../schema/conversation/message.ts';
import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import { isContextWarning, type TurnResult } from '../../schema/conversation/turn.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { formatCost } from '../../schema/price.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import type { Renderer } from '../render/renderer.ts';
import {
  type Decision,
  declineUnasked,
  denyUnasked,
  type ShowOptions,
  showTurn,
  TURN_FAILED,
  type WaitEvent,
  withCause,
} from '../show-turn.ts';
import { terminalColors as colors, terminalColors } from '../terminal/colors.ts';
import { breakText } from '../terminal/spans.ts';
import type { Chat } from './chat.ts';

const WARN_AT = 0.8;

/** Number of messages sent to the model with the next one. */
async function countContext({ runtime, user, agent, conversationId }: Chat): Promise<number> {
  if (!conversationId) return 0;
  const last = agent.limits.history_messages;
  const messages = await runtime.readMessages(user, conversationId, { last });
  return Math.min(sinceSummary(messages).filter(isText).length, last);
}

function statusText(count: number, limit: number, result: TurnResult): string {
  const { tokens_used: usage } = result;
  const parts = [
    `${count} of ${limit} messages`,
    ...(usage ? [`${usage.prompt_tokens} in${cachedText(usage)}, ${usage.completion_tokens} out`] : []),
    ...(usage?.cost_usd === undefined ? [] : [formatCost(usage.cost_usd)]),
    `${(result.execution_time_ms / 1000).toFixed(2)} s`,
  ];
  return parts.join(' · ');
}

function cachedText({ cached_tokens: cached }: TokenUsage): string {
  return cached ? ` (${cached} cached)` : '';
}

/** Warns once when the context is nearly full, and once when it is full. The built-in model needs no summary. */
export function warnContext(chat: Chat, count: number): void {
  if (chat.agent.model.provider === 'builtin') return;
  const limit = chat.agent.limits.history_messages;
  const share = count / limit;
  if (share < WARN_AT) chat.warnedAt = 0;
  const isNew = share >= 1 ? chat.warnedAt < 1 : share >= WARN_AT && chat.warnedAt < WARN_AT;
  if (!isNew) return;
  chat.warnedAt = share;
  const what =
    share >= 1 ? 'the oldest are no longer sent to the model' : 'soon the oldest will no longer be sent to the model';
  const advice = '/compact continues from a summary, /clear starts a new conversation, /save keeps a copy';
  chat.front.print(terminalColors.yellow(`${count} of ${limit} messages: ${what}. ${advice}.`));
}

/** Sends a message and shows the answer. A refused message prints its error; the chat continues. */
export async function answerMessage(chat: Chat, message: string): Promise<void> {
  const { runtime, agent, user, conversationId } = chat;
  const input = { agent: agent.name, message, idempotencyKey: `terminal:${systemIds.uuid()}` };
  await showAnswer(chat, async () => {
    const files = await Promise.all(chat.attachments.map(fileFromPath));
    const turn = await runtime.chat(user, { ...input, files, ...(conversationId && { conversationId }) });
    chat.attachments = [];
    return turn;
  });
}

/** Begins a turn and shows it to its end. */
export async function showAnswer(chat: Chat, begin: () => Promise<ChatTurn>): Promise<void> {
  const renderer = chat.front.createRenderer({ agent: chat.agent, verbose: chat.verbose, quiet: chat.quiet });
  chat.front.setBusy(true);
  try {
    const turn = await begin();
    chat.conversationId = turn.conversationId;
    chat.stop = () => void chat.runtime.cancel(chat.user, turn.conversationId).catch(() => {});
    if (chat.state === 'terminated') chat.stop();
    const result = await showTurn(turn, showOptions(chat, renderer));
    await finish(chat, renderer, result);
  } catch (error) {
    renderer.pause();
    if (!(error instanceof AppError)) throw error;
    chat.front.printError(error.message, error.code);
  } finally {
    chat.stop = undefined;
    chat.front.setBusy(false);
    for (const notice of chat.notices.splice(0)) chat.front.print(notice);
  }
}

export async function finish(chat: Chat, renderer: Renderer, result: TurnResult): Promise<void> {
  const count = await countContext(chat);
  // A terminal shows the message count and its own warning, so this one would be a repetition.
  const { warning, ...rest } = result;
  const shown = chat.front.isTerminal && isContextWarning(warning) ? rest : result;
  renderer.finish(withCause(shown, chat.causes), statusText(count, chat.agent.limits.history_messages, result));
  chat.notices.push(...chat.causes.splice(0));
  chat.lastResult = result;
  // A program that writes to the chat learns of the failure by the exit code.
  if (result.error && !chat.front.isTerminal) process.exitCode ??= TURN_FAILED;
  chat.choices = nextChoices(chat.choices, result);
  if (!chat.quiet && chat.front.isTerminal) warnContext(chat, count);
}

/** Choices stay valid until an answer offers others or asks a question itself. */
function nextChoices(before: readonly string[], { suggestions, content, intent }: TurnResult): readonly string[] {
  if (suggestions.length > 0) return suggestions;
  const isQuestion = intent?.clarification_question !== undefined || /\?\W*$/.test(content);
  const hasLetters = /^[\s*-]*\(?a[).:]/im.test(content);
  return isQuestion || hasLetters ? [] : before;
}

/** Events that arrive during a question are held back and shown afterwards. */
export function showOptions(chat: Chat, renderer: Renderer): ShowOptions {
  const { runtime, user } = chat;
  const kept: Event[] = [];
  let asked = Promise.resolve<unknown>(undefined);
  let isAsking = 0;
  const show = (event: Event) => (isAsking > 0 ? kept.push(event) : renderer.render(event));
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    const answer = asked.then(async () => {
      renderer.pause();
      return ask();
    });
    isAsking++;
    asked = answer
      .catch(() => {})
      .finally(() => {
        isAsking--;
        if (isAsking === 0) for (const event of kept.splice(0)) renderer.render(event);
      });
    return answer;
  };
  return {
    runtime,
    user,
    show,
    decide: (event: WaitEvent) => inTurn(() => decideCall(chat, event)),
    reply: (event: WaitEvent): Promise<Json | undefined> => inTurn(() => replyToCall(chat, event)),
  };
}

/** Asks the person about a call: once, always for this tool in this chat, or no, with a reason for the model. */
async function decideCall(chat: Chat, event: WaitEvent): Promise<Decision | 'stop'> {
  const { wait, tool } = event;
  if (wait.kind !== 'approval' || !chat.front.isTerminal) return denyUnasked();
  const agreed = `${tool} ${wait.definition}`;
  if (chat.allowed.has(agreed)) return { approved: true };
  const { sent_arguments: args, names = [] } = wait;
  const asking = event.agent
    ? `${bold(event.agent)} wants to call ${bold(tool)} with`
    : `${bold(tool)} wants to run with`;
  chat.front.print(requestText(asking, { args, names, width: chat.front.width }));
  const said = await chat.front.ask('  allow?  y once · a always for this tool · n no, or say why  ');
  if (said === undefined) return 'stop';
  if (/^a(lways)?$/i.test(said)) chat.allowed.add(agreed);
  return readDecision(said);
}

export function readDecision(said: string): Decision {
  if (/^(y(es)?|a(lways)?|once)$/i.test(said)) return { approved: true };
  const reason = said
    .replace(/^no?\b[\s,:]*/i, '')
    .replace(/^because\b\s*/i, '')
    .trim();
  return reason === '' ? { approved: false } : { approved: false, reason };
}

function bold(name: string): string {
  return colors.bold(sanitizeText(name));
}

interface Request {
  args: JsonObject;
  names: readonly KnownName[];
  width: number;
}

/** Shows all arguments exactly: nothing is cut, and invisible characters are written as codes. */
function requestText(asking: string, { args, names, width }: Request): string {
  const lines = exactJson(args)
    .split('\n')
    .flatMap((line) => breakText(line, width - 4));
  return [
    `  ${colors.yellow('?')} ${asking}`,
    ...lines.map((line) => `    ${line}`),
    ...names.map(({ argument, name, tool: source }) => {
      return `    ${sanitizeText(argument)} is ${colors.bold(JSON.stringify(name))}, says ${sanitizeText(source)}`;
    }),
  ].join('\n');
}

const UNSEEN =
  /\p{C}|\p{Zl}|\p{Zp}|\u034f|[\u115f\u1160\u17b4\u17b5]|[\u180b-\u180f]|[\u3164\uffa0]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

export function exactJson(value: Json): string {
  const code = (character: string) =>
    character === '\n' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(value, null, 2).replace(UNSEEN, code);
}

/** Asks the question of a running tool. An answer that is valid JSON is parsed; any other is sent as text. */
async function replyToCall(chat: Chat, { wait, tool, agent }: WaitEvent): Promise<Json | undefined> {
  if (wait.kind !== 'input' || !chat.front.isTerminal) return declineUnasked();
  chat.front.print(`  ${colors.yellow('?')} ${sanitizeText(agent ?? tool)} asks: ${sanitizeText(wait.question)}`);
  const said = await chat.front.ask('  answer (empty = decline)  ');
  if (said === undefined || said === '') return undefined;
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
}
