import { AppError } from '../../errors.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { takePageHint } from '../page-hint.ts';
import { letterOf } from '../render/result-rows.ts';
import { terminalColors as colors } from '../terminal/colors.ts';
import { welcome } from '../welcome.ts';
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
  while (chat.state === 'active') {
    const line = await front.read();
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

function greet({ front, opened, agent, pageCommand }: Chat): void {
  front.print(welcome(opened, agent, front.width));
  const hint = takePageHint(opened.folder, pageCommand);
  if (hint) front.print(colors.dim(sanitizeText(hint)));
}
