import { join } from 'node:path';
import { systemClock } from '../../clock.ts';
import { findLocalServers, PATIENT } from '../../runtime/local-servers.ts';
import type { Agent } from '../../schema/agent.ts';
import { isLocalServer } from '../../schema/provider.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { commandText, pageParts, resumeParts } from '../called-as.ts';
import type { Chat, Front } from '../chat/chat.ts';
import { completeCommand } from '../chat/commands.ts';
import { converse } from '../chat/converse.ts';
import { createReminders, type Reminders } from '../chat/reminders.ts';
import { describeFound, findDoubts, needsOf } from '../local-models.ts';
import { modelOverrides } from '../model-flag.ts';
import { type Opened, openAgents } from '../open-agent.ts';
import { canDraw, terminalColors as colors, keepStyles } from '../terminal/colors.ts';
import { watchAgents } from '../watch-agents.ts';

const INTERRUPTED = 130;

/** The first Ctrl+C stops the answer and keeps its text; the second leaves; the third exits without waiting. */
export function interrupt(chat: Chat): void {
  chat.interrupts++;
  if (chat.interrupts > 2) process.exit(INTERRUPTED);
  if (chat.interrupts === 2 || !chat.front.isTerminal) {
    process.exitCode = INTERRUPTED;
    chat.state = 'terminated';
    chat.stop?.();
    chat.front.end();
  } else if (chat.stop) chat.stop();
  else chat.front.print(colors.dim('press Ctrl+C again to leave'));
}

export interface ChatOptions {
  maxMessages?: number;
  verbose?: boolean;
  quiet?: boolean;
  /** The conversation to continue: its id, or true for the last one. */
  resume?: string | true;
  json?: boolean;
  model?: string;
  observability?: boolean;
  data?: string;
  user?: string;
}

/** `holodeck chat`: a conversation in a terminal, or over a pipe. */
export async function runChat(file: string | undefined, options: ChatOptions): Promise<void> {
  const traces: string[] = [];
  const faults: string[] = [];
  let writeTrace = (line: string): void => void traces.push(line);
  let report = (text: string): void => void faults.push(text);
  const opened = await openAgents(file ? [file] : [], {
    ...options,
    overrides: toOverrides(options),
    writeTrace: (line) => writeTrace(line),
    report: (text, endsTurn) => void (endsTurn ? chat.causes.push(inChat(text)) : report(text)),
  });
  const chat: Chat = await openChat(opened, file, options);
  writeTrace = (line) => print(chat, colors.dim(sanitizeText(line)));
  for (const line of traces.splice(0)) writeTrace(line);
  report = (text) => print(chat, colors.yellow(text));
  for (const text of faults.splice(0)) report(text);
  const watching = watchAgents(opened, {
    notify: (text) => print(chat, colors.yellow(sanitizeText(text))),
    overrides: () => chat.overrides,
    onReplace: (agent) => {
      chat.agent = agent;
    },
  });
  const reminders = openReminders(chat);
  const closing = new AbortController();
  chat.closing = closing.signal;
  const onTerminate = () => {
    chat.interrupts = 1;
    interrupt(chat);
  };
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, onTerminate);
  try {
    if (chat.front.isTerminal && !chat.quiet) void showLocalModel(chat);
    await converse(chat, options.resume);
  } finally {
    closing.abort();
    reminders?.close();
    watching.close();
    chat.front.close();
    writeTrace = (line) => void process.stderr.write(`${sanitizeText(line)}\n`);
    await opened.runtime.stop();
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, onTerminate);
  }
}

function toOverrides({ maxMessages, model, observability }: ChatOptions): Record<string, unknown> {
  return {
    ...modelOverrides(model),
    ...(maxMessages && { limits: { history_messages: maxMessages } }),
    ...(observability && { observability: { enabled: true } }),
  };
}

/** A model is changed inside of a chat by its own command. */
function inChat(text: string): string {
  return text.replace('`holodeck use`', '`/model builtin`');
}

/** Prints at once at the prompt, otherwise when the answer is complete. */
function print(chat: Chat, text: string): void {
  if (!chat.front.isTerminal) process.stderr.write(`${text}\n`);
  else if (chat.stop) chat.notices.push(text);
  else chat.front.print(text);
}

/** Prints a local model that could answer, or what the chosen one lacks. Nothing waits for it; a failure shows nothing. */
async function showLocalModel(chat: Chat): Promise<void> {
  const { agent, opened, closing: signal, notices } = chat;
  const { provider, endpoint } = agent.model;
  const isBuiltin = provider === 'builtin';
  if (!isBuiltin && !isLocalServer(agent.model)) return;
  const asked = { ...(!isBuiltin && PATIENT), ...(endpoint && { addresses: { [provider]: endpoint } }) };
  const servers = await findLocalServers({ signal, ...asked });
  const needs = { ...needsOf(agent, opened.namesModel), isChat: true };
  const doubts = findDoubts(agent.model, needs, servers).map(({ text, remedy }) => `${text}. ${remedy}`);
  const found = isBuiltin ? describeFound(servers, needs) : undefined;
  if (signal.aborted) return;
  const lines = [...doubts.map(colors.yellow), ...(found ? [colors.dim(found)] : [])].map(keepStyles);
  if (chat.front.keepsTyped) for (const line of lines) print(chat, line);
  else notices.push(...lines);
}

/** A person at a terminal is reminded at the prompt; a terminal of plain lines shows it after the next line. */
function openReminders(chat: Chat): Reminders | undefined {
  const { runtime, user, agent, front, quiet } = chat;
  if (!front.isTerminal || quiet) return undefined;
  let isPrompting = false;
  const show = (text: string) => {
    if (isPrompting && !front.keepsTyped) chat.notices.push(colors.yellow(text));
    else print(chat, colors.yellow(text));
  };
  const reminders = createReminders({ runtime, user, agent: agent.name, clock: systemClock, show });
  chat.remind = async () => {
    isPrompting = false;
    for (const notice of chat.notices.splice(0)) front.print(notice);
    await reminders.check();
    isPrompting = true;
  };
  return reminders;
}

async function openChat(opened: Opened, file: string | undefined, options: ChatOptions): Promise<Chat> {
  const agent = opened.agents[0] as Agent; // openAgents returns at least one
  const { runtime, user } = opened;
  const chat: Omit<Chat, 'front'> & { front?: Front } = {
    ...{ runtime, user, opened, agent },
    command: commandText(resumeParts({ file, data: options.data, model: options.model })),
    pageCommand: commandText(pageParts({ file, data: options.data })),
    modelCommand: commandText([...(file ? ['chat', file] : []), '--model']),
    conversationId: undefined,
    verbose: options.verbose ?? false,
    quiet: options.quiet ?? false,
    choices: agent.starters.slice(0, 3),
    lastResult: undefined,
    listed: [],
    attachments: [],
    allowed: new Set(),
    overrides: {},
    causes: [],
    notices: [],
    remind: async () => {},
    stop: undefined,
    closing: new AbortController().signal,
    warnedAt: 0,
    interrupts: 0,
    state: 'initializing',
  };
  // complete before a key is pressed
  return Object.assign(chat, { front: await openFront(() => chat as Chat, opened, options) });
}

async function openFront(chat: () => Chat, { folder }: Opened, options: ChatOptions): Promise<Front> {
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true && !options.json;
  const onInterrupt = () => interrupt(chat());
  if (!isTerminal) {
    const { openPipeFront } = await import('../chat/pipe-front.ts');
    return openPipeFront({ json: options.json ?? false, onInterrupt });
  }
  if (!canDraw()) return (await import('../chat/lines-front.ts')).openLinesFront({ onInterrupt });
  const { openTerminalFront } = await import('../chat/terminal-front.ts');
  return openTerminalFront({
    historyPath: join(folder, 'history'),
    complete: completeCommand,
    onInterrupt,
    onOtherKey: () => {
      chat().interrupts = 0;
    },
  });
}
