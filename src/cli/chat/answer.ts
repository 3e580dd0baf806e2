import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { fileFromPath } from '../../runtime/attached-file.ts';
import type { ChatTurn } from '../../runtime/continue-turn.ts';
import { isContextWarning } from '../../schema/context-warning.ts';
import type { Event } from '../../schema/event.ts';
import type { Json } from '../../schema/json.ts';
import type { TurnResult } from '../../schema/turn.ts';
import type { Renderer } from '../render/renderer.ts';
import { type ShowOptions, showTurn, type WaitEvent } from '../show-turn.ts';
import type { Chat } from './chat.ts';
import { decideCall, replyToCall } from './human.ts';
import { countContext, statusText, warnContext } from './status.ts';

/** Sends a message and shows the answer. A refused message is told and ends nothing. */
export async function answerMessage(chat: Chat, message: string): Promise<void> {
  const { runtime, agent, user, conversationId } = chat;
  const input = { agent: agent.name, message, idempotencyKey: `terminal:${randomUUID()}` };
  await showAnswer(chat, async () => {
    const files = await Promise.all(chat.attachments.map(fileFromPath));
    const turn = await runtime.chat(user, { ...input, files, ...(conversationId && { conversationId }) });
    chat.attachments = [];
    return turn;
  });
}

/** Begins a turn and shows it to its end. */
export async function showAnswer(chat: Chat, begin: () => Promise<ChatTurn>): Promise<void> {
  const renderer = chat.front.createRenderer({ loop: chat.agent.loop, verbose: chat.verbose, quiet: chat.quiet });
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
  // A terminal counts its messages and warns once.
  const { warning, ...rest } = result;
  const shown = chat.front.isTerminal && isContextWarning(warning) ? rest : result;
  renderer.finish(shown, statusText(count, chat.agent.limits.history_messages, result));
  chat.lastResult = result;
  chat.choices = nextChoices(chat.choices, result);
  if (!chat.quiet && chat.front.isTerminal) warnContext(chat, count);
}

/** What was offered stays on offer until an answer offers something else or asks something itself. */
function nextChoices(before: readonly string[], { suggestions, content, intent }: TurnResult): readonly string[] {
  if (suggestions.length > 0) return suggestions;
  const isQuestion = intent?.clarification_question !== undefined || /\?\W*$/.test(content);
  const hasLetters = /^[\s*-]*\(?a[).:]/im.test(content);
  return isQuestion || hasLetters ? [] : before;
}

/** While the person is asked something, what happens is kept back and shown afterwards. */
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
