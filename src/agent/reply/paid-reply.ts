import { AppError, type ErrorCode } from '../../errors.ts';
import type { ModelChunk, ModelRequest } from '../../models/model.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { CHARS_PER_TOKEN, type TokenUsage } from '../../schema/conversation/token-usage.ts';
import type { TurnBudget } from '../running-turn.ts';

interface PaidCall {
  budget: TurnBudget | undefined;
  request: ModelRequest;
  signal: AbortSignal;
  /** The reply so far, which changes while it is read. */
  reply: { isBegun: boolean; usage: TokenUsage | undefined; outputTokens: number };
}

/** A reply that was late, or could not be read, was written and is billed. */
const BILLED_FAILURES: readonly ErrorCode[] = ['model_timeout', 'model_bad_reply'];

/** Reads a reply within the turn's budget. Nothing is asked if the call could exceed it. */
export async function* readPaid(call: PaidCall, read: AsyncGenerator<Event, void>): AsyncGenerator<Event, void> {
  const { budget, request, signal, reply } = call;
  const settle = await budget?.reserve(request);
  let isFree = false;
  try {
    yield* read;
  } catch (error) {
    // A provider charges nothing for a request that it refused.
    const isBilled = error instanceof AppError && BILLED_FAILURES.includes(error.code);
    isFree = !reply.isBegun && !signal.aborted && !isBilled;
    throw error;
  } finally {
    await settle?.({ costUsd: isFree ? 0 : reply.usage?.cost_usd, outputTokens: reply.outputTokens });
  }
}

/** About the tokens of a chunk. In bytes, because a character of other scripts is a token or more. */
export function outputTokens(chunk: ModelChunk): number {
  if (chunk.type === 'tool-call') return tokensIn(chunk.name) + tokensIn(chunk.arguments);
  const isOutput = chunk.type === 'text' || chunk.type === 'reasoning' || chunk.type === 'call-part';
  return isOutput ? tokensIn(chunk.text) : 0;
}

function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / CHARS_PER_TOKEN);
}
