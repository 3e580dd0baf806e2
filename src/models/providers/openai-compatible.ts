import type { HttpReply } from '../http-post.ts';
import type { Model } from '../model.ts';
import { createSseLines } from '../sse-lines.ts';
import { type ChatDialect, type ChatSettings, createChatModel } from './chat-model.ts';
import { writeOpenAiBody } from './openai-body.ts';
import { parseEvent } from './openai-wire.ts';

const CHAT_COMPLETIONS: ChatDialect = {
  accept: 'text/event-stream',
  writeUrl: completionsUrl,
  writeBody: writeOpenAiBody,
  createLines: createSseLines,
  parseEvent,
  isWhole,
};

/** A model behind the OpenAI chat completions protocol: Gemini's compatible endpoint, LM Studio, vLLM and many others. */
export function createOpenAiCompatibleModel(settings: ChatSettings): Model {
  return createChatModel(settings, CHAT_COMPLETIONS);
}

/** Some servers send a whole reply although a stream was requested. */
function isWhole(response: HttpReply): boolean {
  return /json|html/i.test(response.headers['content-type'] ?? '');
}

function completionsUrl(endpoint: string): URL {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  return url;
}
