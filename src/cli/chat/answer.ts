import { AppError } from '../../errors.ts';
import { systemIds } from '../../ids.ts';
import { fileFromPath } from '../../runtime/files/attached-file.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import { isContextWarning } from '../../schema/conversation/context-warning.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { Json } from '../../schema/json.ts';
import type { Renderer } from '../render/renderer.ts';
import { type ShowOptions, showTurn, type WaitEvent } from '../show-turn.ts';
import type { Chat } from './chat.ts';
import { decideCall, replyToCall } from './human.ts';
import { countContext, statusText, warnContext } from './status.ts';

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
  renderer.finish(shown, statusText(count, chat.agent.limits.history_messages, result));
  chat.lastResult = result;
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
