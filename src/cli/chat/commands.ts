import { systemClock } from '../../clock.ts';
import { AppError, toAppError } from '../../errors.ts';
import { systemIds } from '../../ids.ts';
import { findLocalServers, PATIENT } from '../../runtime/local-servers.ts';
import { type Conversation, titleOf } from '../../schema/conversation/conversation.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { didYouMean } from '../../yaml/did-you-mean.ts';
import { describeModels, endpointOf, findDoubts, listModels, needsOf } from '../local-models.ts';
import { readModel } from '../model-flag.ts';
import { terminalColors as colors } from '../terminal/colors.ts';
import type { Completion } from '../terminal/complete.ts';
import { cutToWidth, padTo } from '../terminal/display-width.ts';
import { showAnswer } from './answer.ts';
import type { Chat } from './chat.ts';
import { attachFile, completePath, saveConversation } from './files.ts';
import { findConversation, resumeConversation } from './resume.ts';

interface ChatCommand {
  /** The argument of the command. */
  takes?: string;
  help: string;
  run(chat: Chat, text: string): Promise<void> | void;
}

export const COMMANDS: Readonly<Record<string, ChatCommand>> = {
  '/help': { help: 'list the commands and keys', run: (chat) => chat.front.print(helpText()) },
  '/tools': {
    takes: '[accept]',
    help: 'list the tools and the state of their servers; accept approves changed definitions',
    run: async (chat, text) => chat.front.print(await showTools(chat, text === 'accept')),
  },
  '/why': {
    takes: '[figure or all]',
    help: 'show the sources of the last answer: its figures, one figure, or all steps',
    run: async ({ front, lastResult }, text) =>
      front.print((await import('./why.ts')).whyText(lastResult, text, front.isTerminal)),
  },
  '/save': {
    takes: '[file]',
    help: 'write this conversation to a new file (.md or .json)',
    run: async (chat, text) => chat.front.printExact(sanitizeText(`saved to ${await saveConversation(chat, text)}`)),
  },
  '/clear': { help: 'start a new conversation; this one is kept', run: beginAnew },
  '/compact': { help: 'continue from a summary; nothing is deleted', run: compactConversation },
  '/attach': {
    takes: 'file',
    help: 'send a file with the next message',
    run: (chat, text) => chat.front.print(sanitizeText(attachFile(chat, text))),
  },
  '/sessions': {
    help: 'list your conversations with this agent',
    run: async (chat) => chat.front.print(await listSessions(chat)),
  },
  '/resume': { takes: '[number or id]', help: 'continue another conversation', run: resume },
  '/model': {
    takes: '[provider/name]',
    help: 'show the model and local ones, or change it for this chat',
    run: changeModel,
  },
  '/verbose': { help: 'show more or fewer details', run: toggleVerbose },
  '/exit': { help: 'leave (also exit, quit, Ctrl+D)', run: leave },
};

/** A command of the shell that a person pasted into the chat. */
const PASTED_USE = /^(?:(?:npx )?holodeck|npm start --) use (\S+)$/;
const WORDS: Record<string, string> = { exit: '/exit', quit: '/exit', '/quit': '/exit', '/?': '/help' };

/** Runs a line that is a command, and prints its error; false for a line that is meant for the agent. */
export async function runCommand(chat: Chat, line: string): Promise<boolean> {
  const typed = line.trim().replace(PASTED_USE, '/model $1');
  const [word = '', ...rest] = typed.split(/\s+/);
  const name = WORDS[word.toLowerCase()] ?? word.toLowerCase();
  if (!name.startsWith('/') || (WORDS[word.toLowerCase()] && !word.startsWith('/') && rest.length > 0)) return false;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (!command) throw noCommand(word);
    await command.run(chat, typed.slice(word.length).trim());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    chat.front.printError(error.message, error.code);
  }
  return true;
}

function noCommand(word: string): AppError {
  const near = didYouMean(word.toLowerCase(), Object.keys(COMMANDS));
  return new AppError('usage', { detail: `${word} is not a command${near || '.'} /help lists the commands.` });
}

/** Completion for Tab: commands, and paths after commands that take a file. */
export function completeCommand(text: string): Completion {
  const path = /^\/(?:attach|save)\s+(.*)$/.exec(text);
  if (path) return completePath(text, path[1] ?? '');
  if (!/^\/\S*$/.test(text)) return { start: text.length, candidates: [] };
  const found = Object.entries(COMMANDS).filter(([name]) => name.startsWith(text));
  return { start: 0, candidates: found.map(([name, { takes }]) => (takes ? `${name} ` : name)) };
}

function helpText(): string {
  const lines = Object.entries(COMMANDS).map(([name, { takes = '', help }]) => {
    return `  ${colors.bold(name)} ${takes.padEnd(26 - name.length)}${help}`;
  });
  const keys = [
    'Enter sends · Alt+Enter, or \\ at the end, starts a new line · Tab completes · ↑ ↓ earlier lines',
    'Ctrl+C stops the answer, twice leaves · a single letter picks that suggestion',
  ];
  return [...lines, ...keys.map((line) => colors.dim(`  ${line}`))].join('\n');
}

function beginAnew(chat: Chat): void {
  const before = chat.conversationId;
  chat.conversationId = undefined;
  chat.lastResult = undefined;
  chat.warnedAt = 0;
  chat.choices = chat.agent.starters.slice(0, 3);
  chat.front.print(before ? `a new conversation; the last one is kept: /resume ${before}` : 'a new conversation');
}

async function compactConversation(chat: Chat): Promise<void> {
  const { runtime, user, agent, conversationId } = chat;
  if (!conversationId)
    throw new AppError('usage', { detail: 'There is no conversation to summarize yet. Send a message first.' });
  const input = { agent: agent.name, conversationId, idempotencyKey: `terminal:${systemIds.uuid()}` };
  await showAnswer(chat, () => runtime.compact(user, input));
  chat.front.print(
    colors.dim('From now on the model gets this summary instead of the earlier messages. Nothing was deleted.'),
  );
}

async function resume(chat: Chat, text: string): Promise<void> {
  const isNumber = /^\d{1,3}$/.test(text);
  // If no list was shown yet, the number refers to the list that would be shown.
  if (isNumber && chat.listed.length === 0) await listSessions(chat);
  const listed = isNumber ? chat.listed[Number(text) - 1] : undefined;
  const found = await findConversation(chat, text === '' ? undefined : (listed ?? text));
  if (found.id === chat.conversationId) throw new AppError('usage', { detail: 'This conversation is already open.' });
  await resumeConversation(chat, found);
}

async function changeModel(chat: Chat, text: string): Promise<void> {
  const { runtime, opened, front } = chat;
  const servers = await findLocalServers({ signal: chat.closing, ...PATIENT });
  const local = listModels(servers);
  if (text !== '') {
    const model = readModel(text, local);
    const overrides = { ...chat.overrides, model: { ...model, ...endpointOf(model, servers) } };
    const agent = await opened.load(opened.files[0] ?? '', overrides).catch((error: unknown) => {
      const { code, message } = toAppError(error);
      const kept = `The model is still ${runtime.describe(chat.agent.name).model}.`;
      throw new AppError(code, { detail: `${message.replace(/^command line /gm, '')}\n${kept}`, cause: error });
    });
    await runtime.replaceAgent(agent);
    chat.overrides = overrides;
    chat.agent = agent;
  }
  front.print(sanitizeText(`the model is ${runtime.describe(chat.agent.name).model}`));
  if (text !== '') {
    const needs = { ...needsOf(chat.agent, opened.namesModel), isChat: true };
    const doubts = findDoubts(chat.agent.model, needs, servers);
    return doubts.forEach((doubt) => void front.print(colors.yellow(sanitizeText(`${doubt.text}. ${doubt.remedy}`))));
  }
  const { provider, name } = chat.agent.model;
  for (const line of describeModels(local, [provider, name])) front.print(sanitizeText(`  /model ${line}`));
}

function toggleVerbose(chat: Chat): void {
  chat.verbose = !chat.verbose;
  chat.front.print(chat.verbose ? 'details are shown' : 'details are hidden');
}

function leave(chat: Chat): void {
  chat.state = 'terminated';
}

/** Time for a server that is still starting. */
const LIST_MS = 5_000;

/** `/tools`: lists every source with its state and tools, and refused tools; `accept` approves changed definitions. */
async function showTools({ runtime, user, agent: { name: agent } }: Chat, isAccepted: boolean): Promise<string> {
  const list = () => runtime.listTools(user, agent, { signal: AbortSignal.timeout(LIST_MS), looks: true });
  if (isAccepted) {
    await list();
    await runtime.acceptTools(agent);
  }
  const { refusals } = await list();
  const { sources } = runtime.describe(agent);
  if (sources.length === 0) return 'This agent has no tools.\n';
  const lines = sources.flatMap(({ name, state, detail, tools }) => [
    `  ${colors.bold(sanitizeText(name))}  ${state}${detail ? `  ${sanitizeText(detail)}` : ''}`,
    ...tools.map(
      (tool) => `    ${sanitizeText(tool.name)}  ${colors.dim(sanitizeText(tool.description.split('\n', 1)[0] ?? ''))}`,
    ),
  ]);
  const refused = refusals.map(({ tool, source, reason }) =>
    colors.yellow(`  ${sanitizeText(tool)} of ${sanitizeText(source)} is not offered: ${sanitizeText(reason)}`),
  );
  return `${[...lines, ...refused].join('\n')}\n`;
}

const LISTED = 15;

/** Lists the newest conversations with this agent; `/resume` accepts their numbers. */
async function listSessions(chat: Chat): Promise<string> {
  const { runtime, user, agent } = chat;
  const found = await runtime.listConversations(user, { limit: LISTED, agent: agent.name });
  chat.listed = found.map(({ id }) => id);
  if (found.length === 0) return 'There is no conversation yet.';
  const lines = found.map((conversation, index) => sessionLine(conversation, index, chat));
  return [...lines, colors.dim('  /resume with a number continues that conversation')].join('\n');
}

function sessionLine(conversation: Conversation, index: number, chat: Chat): string {
  const { id, message_count, last_activity } = conversation;
  const title = sanitizeText(titleOf(conversation)).replace(/\s+/g, ' ');
  const mark = id === chat.conversationId ? '*' : ' ';
  const room = Math.max(10, chat.front.width - 60);
  const head = `${mark}${String(index + 1).padStart(3)}  ${padTo(cutToWidth(title, room), Math.min(room, 40))}`;
  return `${head}  ${colors.dim(`${message_count} messages · ${showAge(last_activity)} · ${id}`)}`;
}

function showAge(at: string): string {
  const minutes = Math.max(0, Math.round((systemClock.date().getTime() - Date.parse(at)) / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${Math.round(minutes / 1440)} days ago`;
}
