import { AppError } from '../../errors.ts';
import { isSummaryRequest } from '../../runtime/turn/summary.ts';
import { type Conversation, titleOf } from '../../schema/conversation/conversation.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';
import { ConversationId } from '../../schema/ids.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { decideWaits, showTurn, type WaitEvent } from '../show-turn.ts';
import { terminalColors as colors } from '../terminal/colors.ts';
import { joinBlocks, parseBlocks } from '../terminal/markdown.ts';
import { finish, showAnswer, showOptions } from './answer.ts';
import type { Chat } from './chat.ts';

const SHOWN_MESSAGES = 4;
const SEARCHED = 200;

/** Finds a conversation by the beginning of its id, or the last other one. Throws `conversation_not_found`. */
export async function findConversation(
  chat: Pick<Chat, 'runtime' | 'user' | 'agent' | 'conversationId'>,
  wanted: string | undefined,
): Promise<Conversation> {
  const { runtime, user, agent } = chat;
  const parsed = ConversationId.safeParse(wanted);
  if (parsed.success) {
    const found = await runtime.readConversation(user, parsed.data);
    if (found?.agent === agent.name) return found;
  } else {
    const limit = wanted === undefined ? 2 : SEARCHED;
    const listed = await runtime.listConversations(user, { limit, agent: agent.name });
    const others = listed.filter(({ id }) => id !== chat.conversationId).slice(0, 1);
    const found = wanted === undefined ? others : listed.filter(({ id }) => id.startsWith(wanted.toUpperCase()));
    if (found.length === 1 && found[0]) return found[0];
  }
  throw new AppError('conversation_not_found', {
    detail: `There is no ${wanted === undefined && chat.conversationId ? 'other' : 'such'} conversation to resume with this agent. /sessions lists the conversations.`,
  });
}

/** Opens a conversation: shows its last messages and continues its open turn. */
export async function resumeConversation(chat: Chat, conversation: Conversation): Promise<void> {
  const { id } = conversation;
  const { runtime, user, front, quiet } = chat;
  chat.conversationId = id;
  chat.choices = [];
  chat.lastResult = undefined;
  if (front.isTerminal && !quiet) {
    const messages = await runtime.readMessages(user, id, { last: SHOWN_MESSAGES });
    const title = sanitizeText(titleOf(conversation)) || id;
    front.print(colors.dim(`resumed  ${title}`));
    for (const message of messages) showMessage(chat, message);
  }
  await settleNewestTurn(chat, id);
}

function showMessage({ front }: Chat, message: Message): void {
  const { role, content } = message;
  if (content.trim() === '' || role === 'tool' || role === 'system') return;
  const text = typedText(message);
  if (role === 'user') front.print(colors.dim(`> ${text.replaceAll('\n', '\n  ')}`));
  else front.print(joinBlocks(parseBlocks(text), { width: front.width, colors }).join('\n'));
}

/** Offers to continue an interrupted turn; asks again about a waiting one. */
export async function settleNewestTurn(chat: Chat, conversationId: string): Promise<void> {
  const { runtime, user, front } = chat;
  const turn = await runtime.readNewestTurn(user, conversationId);
  if (!turn || !front.isTerminal) return;
  const events = await runtime.readEvents(user, turn.id);
  if (turn.status === 'interrupted') {
    const said = await front.ask(`${interruptedText(events)} Continue? [y] `);
    if (said !== undefined && /^(y(es)?)?$/i.test(said))
      await showAnswer(chat, () => runtime.continueInterrupted(user, { conversationId }));
  } else if (turn.status === 'waiting') await decideAgain(chat, { turnId: turn.id, conversationId }, events);
}

function interruptedText(events: readonly Event[]): string {
  const ended = events.filter((event) => event.type === 'tool-call-end').map(({ call }) => sanitizeText(call.name));
  const after = ended.length > 0 ? ` after ${ended.join(', ')}` : '';
  return `The last answer was interrupted${after}. Nothing was run twice.`;
}

async function decideAgain(
  chat: Chat,
  turn: { turnId: string; conversationId: string },
  events: readonly Event[],
): Promise<void> {
  const renderer = chat.front.createRenderer({ agent: chat.agent, verbose: chat.verbose, quiet: chat.quiet });
  const options = showOptions(chat, renderer);
  const next = await decideWaits(turn, openWaits(events), options);
  if ('finish_reason' in next) await finish(chat, renderer, next);
  else await finish(chat, renderer, await showTurn(next, options));
}

function openWaits(events: readonly Event[]): WaitEvent[] {
  const ended = new Set(events.flatMap((event) => (event.type === 'tool-call-end' ? [event.call.id] : [])));
  const asked = events.findLast((event) => event.type === 'turn-wait')?.calls;
  const waits = events
    .filter((event) => event.type === 'tool-call-wait')
    .filter(({ call_id }) => asked?.includes(call_id));
  return waits.filter((wait, index) => {
    const isNewest = !waits.slice(index + 1).some(({ call_id }) => call_id === wait.call_id);
    return isNewest && !ended.has(wait.call_id);
  });
}

/** A message as the person typed it: a summary request was typed as a command. */
function typedText(message: Message): string {
  return isSummaryRequest(message) ? '/compact' : sanitizeText(message.content);
}
