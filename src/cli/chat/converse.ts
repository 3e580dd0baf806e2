import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { AppError } from '../../errors.ts';
import type { Agent } from '../../schema/agent.ts';
import { keyVariables, type Provider } from '../../schema/provider.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { askOnceText, commandText } from '../called-as.ts';
import { printAside } from '../print.ts';
import { choiceSpans, labelled, letterOf } from '../render/result-rows.ts';
import { terminalColors as colors } from '../terminal/colors.ts';
import { answerMessage } from './answer.ts';
import type { Chat } from './chat.ts';
import { runCommand } from './commands.ts';
import { findConversation, resumeConversation, settleNewestTurn } from './resume.ts';

/** Runs the chat from its first screen to its last line. */
export async function converse(chat: Chat, resume: string | true | undefined): Promise<void> {
  const { front, quiet } = chat;
  if (front.isTerminal && !quiet) greet(chat);
  // A signal may have ended the chat while it was starting.
  if (chat.state === 'initializing') chat.state = 'active';
  await takeUp(chat, resume);
  await chat.remind();
  for (let isFirst = true; chat.state === 'active'; isFirst = false) {
    const line = await front.read();
    // A signal that ends the chat sets the exit code.
    if (line === undefined && isFirst && !process.exitCode && !front.isTerminal && !quiet) {
      printAside(NO_INPUT + askOnceText(chat.opened.files[0] ?? ''));
    }
    if (line === undefined) break;
    const text = pickChoice(chat, line.trim());
    if (text !== line.trim() && !quiet) front.print(colors.dim(`  ${sanitizeText(text)}`));
    if (text !== '' && !(await runCommand(chat, text))) await answerMessage(chat, text);
    if (chat.state === 'active') await chat.remind();
  }
  chat.state = 'terminated';
  if (front.isTerminal && chat.conversationId && !quiet) {
    front.printExact(
      colors.dim(`Continue this conversation with:\n${sanitizeText(chat.command)} ${chat.conversationId}`),
    );
  }
}

const NO_INPUT = 'There is no terminal, and the input is empty: start it in a terminal (docker run -it), or ask once: ';

/** A single letter selects the suggestion with that letter. */
function pickChoice({ choices, front }: Chat, text: string): string {
  if (!front.isTerminal) return text;
  return choices.find((_, index) => letterOf(index) === text) ?? text;
}

/** Opens the requested conversation, or an answer that a crash interrupted. */
async function takeUp(chat: Chat, resume: string | true | undefined): Promise<void> {
  if (resume) {
    await resumeConversation(chat, await findConversation(chat, resume === true ? undefined : resume));
    return;
  }
  if (!chat.front.isTerminal) return;
  const last = await findConversation(chat, undefined).catch(ignoreMissing);
  const turn = last && (await chat.runtime.readNewestTurn(chat.user, last.id));
  if (!last || turn?.status !== 'interrupted') return;
  await settleNewestTurn(chat, last.id);
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
  return undefined;
}

function greet(chat: Chat): void {
  chat.front.print(welcome(chat, chat.front.width));
  const hint = takePageHint(chat.opened.folder, chat.pageCommand);
  if (hint) chat.front.print(colors.dim(sanitizeText(hint)));
}

const SEEN_FILE = 'page-hint';

/** The command that serves the web page, once per data folder; undefined later, or if that cannot be noted. */
export function takePageHint(folder: string, command: string): string | undefined {
  try {
    writeFileSync(join(folder, SEEN_FILE), '', { flag: 'wx', mode: 0o600 });
  } catch {
    return undefined;
  }
  return `There is a web page too: ${command}`;
}

/** The first screen: agent, model, data folder, and examples to try. */
function welcome({ runtime, opened: { folder, isShipped }, agent, modelCommand }: Chat, width: number): string {
  const version = packageJson.version.split('.').slice(0, 2).join('.');
  const line = (name: string, text: string) => labelled(name, [{ text }], { colors, width });
  const tries = choiceSpans(agent.starters.slice(0, 3), colors);
  const engine = engineLines(agent, runtime.describe(agent.name).model, modelCommand);
  return [
    `${colors.bold(`HoloDeck ${version}`)}  ·  ${sanitizeText(agent.name)}${isShipped ? ` (${shippedText()})` : ''}`,
    ...engine.flatMap((text, index) => line(index === 0 ? 'model  ' : '       ', text)),
    ...line('data   ', shortPath(folder)),
    ...(tries.length > 0 ? labelled('try    ', tries, { colors, width }) : []),
    ...line('help   ', '/help lists the commands'),
  ].join('\n');
}

/** A person who starts the program beside an agent of their own may expect that one. */
function shippedText(): string {
  return `ships with HoloDeck${existsSync('agent.yaml') ? `; yours: ${commandText(['chat', 'agent.yaml'])}` : ''}`;
}

function engineLines({ model }: Agent, label: string, modelCommand: string): string[] {
  if (model.provider !== 'builtin') return [sanitizeText(label)];
  const hasKey = (provider: Provider) => keyVariables({ provider }).some((name) => process.env[name]);
  const command = `${modelCommand} ${hasKey('openai') && !hasKey('google') ? 'openai/<model>' : 'google/gemini-2.5-flash'}`;
  const isReady = hasKey('google') || hasKey('openai');
  return ['built-in, no API key needed', `with an LLM: ${isReady ? '' : 'GEMINI_API_KEY=… '}${command}`];
}

function shortPath(path: string): string {
  const home = homedir();
  return sanitizeText(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}
