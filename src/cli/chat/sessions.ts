import { systemClock } from '../../clock.ts';
import { type Conversation, titleOf } from '../../schema/conversation/conversation.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { terminalColors as colors } from '../terminal/colors.ts';
import { cutToWidth, padTo } from '../terminal/display-width.ts';
import type { Chat } from './chat.ts';

const LISTED = 15;

/** Lists the newest conversations with this agent; `/resume` accepts their numbers. */
export async function listSessions(chat: Chat): Promise<string> {
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
