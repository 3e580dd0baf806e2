import { randomUUID } from 'node:crypto';
import { createInterface, type Interface } from 'node:readline';
import pc from 'picocolors';
import { AppError } from '../../errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Event } from '../../schema/event.ts';
import { ConversationId } from '../../schema/ids.ts';
import type { TurnResult } from '../../schema/turn.ts';
import type { User } from '../../schema/user.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { createHuman, type Human } from '../human.ts';
import { type Opened, openAgents } from '../open-agent.ts';
import { createRenderer } from '../render.ts';
import { declineUnasked, denyUnasked, showTurn } from '../show-turn.ts';
import { showTools } from '../tools-list.ts';
import { welcome } from '../welcome.ts';

export interface ChatOptions {
  maxMessages?: number;
  verbose?: boolean;
  quiet?: boolean;
  resume?: string | true;
  json?: boolean;
  data?: string;
}

const INTERRUPTED = 130;
const LEAVE = new Set(['exit', 'quit', '/exit', '/quit']);

/** A conversation in a terminal, or over a pipe: one line, one answer. */
interface Chat {
  runtime: Runtime;
  agent: Agent;
  user: User;
  lines: Interface;
  isTerminal: boolean;
  human: Human;
  options: ChatOptions;
  conversationId: string | undefined;
  isAnswering: boolean;
  messages: number;
}

export async function runChat(file: string | undefined, options: ChatOptions): Promise<void> {
  const overrides = options.maxMessages ? { limits: { history_messages: options.maxMessages } } : {};
  const opened = await openAgents(file ? [file] : [], { ...options, overrides });
  try {
    await converse(await openChat(opened, options), opened);
  } finally {
    await opened.runtime.stop();
  }
}

async function openChat({ runtime, agents, user }: Opened, options: ChatOptions): Promise<Chat> {
  const agent = agents[0] as Agent; // openAgents returns at least one
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true && !options.json;
  const conversationId = options.resume ? await findResumed(runtime, user, agent, options.resume) : undefined;
  const lines = createInterface({
    input: process.stdin,
    output: isTerminal ? process.stdout : undefined,
    prompt: '> ',
  });
  const human = isTerminal ? createHuman(lines) : { decide: denyUnasked, reply: declineUnasked };
  return { runtime, agent, user, lines, isTerminal, human, options, conversationId, isAnswering: false, messages: 0 };
}

async function findResumed(runtime: Runtime, user: User, agent: Agent, id: string | true): Promise<string> {
  const parsed = typeof id === 'string' ? ConversationId.safeParse(id) : undefined;
  const found = parsed?.success
    ? await runtime.readConversation(user, parsed.data)
    : (await runtime.listConversations(user, { limit: 1, agent: agent.name }))[0];
  if (found && found.agent === agent.name && (!parsed || parsed.success)) return found.id;
  throw new AppError('conversation_not_found', { detail: 'There is no such conversation to resume with this agent.' });
}

async function converse(chat: Chat, opened: Opened): Promise<void> {
  const { lines, isTerminal, options } = chat;
  if (isTerminal && !options.quiet) process.stdout.write(welcome(opened));
  lines.on('SIGINT', () => interrupt(chat));
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    const text = starterOf(chat, line.trim());
    if (LEAVE.has(text.toLowerCase())) break;
    if (text.startsWith('/tools'))
      process.stdout.write(showTools(chat.runtime, chat.agent.name, text.endsWith(' accept')));
    else if (text !== '') await answerLine(chat, text);
    if (isTerminal) lines.prompt();
  }
  lines.close();
}

/** On the first line a letter picks one of the things to try. */
function starterOf(chat: Chat, text: string): string {
  if (!chat.isTerminal || chat.messages > 0 || !/^[a-z]$/.test(text)) return text;
  return chat.agent.starters[text.charCodeAt(0) - 'a'.charCodeAt(0)] ?? text;
}

/** Ctrl+C once stops the answer; at the prompt it leaves and says how to come back. */
function interrupt(chat: Chat): void {
  if (chat.isAnswering && chat.conversationId) {
    void chat.runtime.cancel(chat.user, chat.conversationId);
    return;
  }
  if (chat.conversationId) process.stdout.write(`\nholodeck chat --resume ${chat.conversationId}\n`);
  process.exitCode = INTERRUPTED;
  chat.lines.close();
}

async function answerLine(chat: Chat, message: string): Promise<void> {
  const { runtime, agent, user, options, conversationId } = chat;
  const write = (text: string) => process.stdout.write(text);
  const { render } = createRenderer({ write, ...options });
  const show = options.json ? (event: Event) => write(`${JSON.stringify(event)}\n`) : render;
  try {
    const input = {
      agent: agent.name,
      message,
      idempotencyKey: randomUUID(),
      ...(conversationId && { conversationId }),
    };
    const turn = await runtime.chat(user, input);
    chat.conversationId = turn.conversationId;
    chat.isAnswering = true;
    const result = await showTurn(turn, { runtime, user, show, ...chat.human });
    chat.messages += 2;
    if (chat.isTerminal && !options.quiet) write(statusLine(chat, result));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    process.stderr.write(`${sanitizeText(error.message)}\n`);
  } finally {
    chat.isAnswering = false;
  }
}

function statusLine(chat: Chat, result: TurnResult): string {
  const limit = chat.agent.limits.history_messages;
  const tokens = result.tokens_used
    ? ` · ${result.tokens_used.prompt_tokens}+${result.tokens_used.completion_tokens} tokens`
    : '';
  return pc.dim(`${chat.messages}/${limit} messages${tokens} · ${(result.execution_time_ms / 1000).toFixed(2)} s\n`);
}
