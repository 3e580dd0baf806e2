import type { ModelChunk, ModelRequest } from '../../src/models/model.ts';
import type { Message } from '../../src/schema/conversation/message.ts';
import { newUlid } from '../../src/schema/new-ulid.ts';

/** A complete request with a user message, or with the parts that the test passes. */
export function makeRequest(parts: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'You help.',
    messages: [makeMessage({ role: 'user', content: 'Hello' })],
    tools: [],
    now: new Date('2026-01-01T00:00:00.000Z'),
    timezone: 'UTC',
    ...parts,
  };
}

type MessageParts = Message extends infer M
  ? M extends Message
    ? Omit<M, 'id' | 'timestamp' | 'metadata'>
    : never
  : never;

export function makeMessage(parts: MessageParts & { metadata?: Message['metadata'] }): Message {
  return { id: newUlid(), timestamp: '2026-01-01T00:00:00.000Z', metadata: {}, ...parts };
}

export async function collectChunks(stream: AsyncIterable<ModelChunk>): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** The chunks of a stream before its end, and the error that it threw. */
export async function collectOutcome(
  stream: AsyncIterable<ModelChunk>,
): Promise<{ chunks: ModelChunk[]; error: unknown }> {
  const chunks: ModelChunk[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
    return { chunks, error: undefined };
  } catch (error) {
    return { chunks, error };
  }
}

export const NEVER_ABORTED: AbortSignal = new AbortController().signal;
