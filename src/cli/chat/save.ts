import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Message } from '../../schema/message.ts';
import type { Chat } from './chat.ts';
import { readTypedPath } from './typed-path.ts';
import { typedText } from './typed-text.ts';

/** Writes the conversation to a new file, as Markdown or, by its name, as JSON. Returns the path. */
export async function saveConversation(chat: Chat, wanted: string): Promise<string> {
  const { runtime, user, conversationId } = chat;
  if (!conversationId) throw new AppError('usage', { detail: 'There is nothing to save yet.' });
  const messages = await runtime.readMessages(user, conversationId);
  const path = wanted === '' ? resolve(`conversation-${conversationId}.md`) : readTypedPath(wanted);
  const text = path.endsWith('.json') ? `${JSON.stringify(messages, null, 2)}\n` : toMarkdown(chat, messages);
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'; // writeFileSync throws system errors
    const detail = isThere ? `${path} is there already; give another name.` : `${path} could not be written.`;
    throw new AppError('usage', { detail, cause: error });
  }
  return path;
}

function toMarkdown({ agent, conversationId }: Chat, messages: readonly Message[]): string {
  const parts = messages.flatMap((message) => {
    if (message.content.trim() === '' || message.role === 'tool' || message.role === 'system') return [];
    const who = message.role === 'user' ? 'You' : agent.name;
    return [`**${who}** · ${message.timestamp}\n\n${typedText(message)}`];
  });
  return `# ${agent.name}, ${conversationId}\n\n${parts.join('\n\n---\n\n')}\n`;
}
