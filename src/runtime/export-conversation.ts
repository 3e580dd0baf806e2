import { keyRedactor } from '../redaction/redactor.ts';
import { type Conversation, titleOf } from '../schema/conversation/conversation.ts';
import { type HistoryMessage, type TurnMessage, toHistoryMessage } from '../schema/conversation/history.ts';
import type { Json } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import type { Store } from '../store/store.ts';
import { sanitizeJson, sanitizeText } from '../tools/sanitize.ts';
import { shownHistory } from './shown.ts';
import { isSummaryRequest } from './turn/summary.ts';
import { conversationNotFound } from './turn/turn-errors.ts';

export interface ExportInput {
  conversationId: string;
  format: 'md' | 'json';
}

export interface ExportedConversation {
  /** A name for the file, of safe characters only. */
  filename: string;
  mediaType: string;
  text: string;
}

const MEDIA_TYPES = { md: 'text/markdown; charset=utf-8', json: 'application/json; charset=utf-8' };

/** Writes a conversation as Markdown or JSON: without prompts, control characters, keys or a provider's state. */
export async function exportConversation(
  store: Store,
  user: User,
  { conversationId, format }: ExportInput,
): Promise<ExportedConversation> {
  const conversation = await store.readConversation(user, conversationId);
  if (!conversation) throw conversationNotFound();
  const history = (await store.readHistory(user, conversationId)).map(shownHistory);
  const text = format === 'md' ? toMarkdown(conversation, history) : toJson(conversation, history);
  const name = conversation.agent.replace(/[^\w.-]+/g, '-');
  return { filename: `${name}-${conversation.id}.${format}`, mediaType: MEDIA_TYPES[format], text };
}

function toJson({ id, metadata, ...conversation }: Conversation, history: readonly TurnMessage[]): string {
  const exported = { session_id: id, ...conversation, metadata, messages: history.map(toHistoryMessage) };
  // The cast: stored documents are plain JSON.
  return `${JSON.stringify(keyRedactor.json(sanitizeJson(exported as unknown as Json)), null, 2)}\n`;
}

function toMarkdown(conversation: Conversation, history: readonly TurnMessage[]): string {
  const { id, agent } = conversation;
  const title = oneLine(titleOf(conversation) || agent);
  const parts = history.map(toHistoryMessage).flatMap((message) => toPart(message, agent));
  return keyRedactor.text(`# ${title}\n\n${oneLine(agent)}, ${id}\n\n${parts.join('\n\n---\n\n')}\n`);
}

function toPart(message: HistoryMessage, agent: string): string[] {
  if (message.role === 'tool' || message.role === 'system' || message.content.trim() === '') return [];
  const who = message.role === 'user' ? 'You' : oneLine(message.agent ?? agent);
  const text = isSummaryRequest(message) ? '/compact' : sanitizeText(message.content);
  const facts = message.role === 'assistant' ? factsOf(message) : [];
  return [[`**${who}** · ${message.timestamp}`, text, ...facts].join('\n\n')];
}

function factsOf({ sources, feedback }: Extract<HistoryMessage, { role: 'assistant' }>): string[] {
  const comment = feedback?.comment ? `: ${oneLine(feedback.comment)}` : '';
  return [
    ...(sources && sources.length > 0 ? [`*Sources: ${oneLine(sources.join(', '))}*`] : []),
    ...(feedback ? [`*Feedback: ${feedback.rating ?? 'none'}${comment}*`] : []),
  ];
}

function oneLine(text: string): string {
  return sanitizeText(text).replace(/\s+/g, ' ').trim();
}
