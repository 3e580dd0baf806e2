import { AppError } from '../errors.ts';
import { loadWordVectors, type WordVectors } from '../language/word-vectors.ts';
import type { Model } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { Planner } from './answer.ts';
import { createReaderThread } from './reader/reader-thread.ts';

export interface BuiltinModelOptions {
  agent: Pick<Agent, 'intents'>;
  /** Plans questions over data domains. */
  plan?: Planner;
  /** Replaces the model's own vectors. */
  vectors?: () => WordVectors;
}

/**
 * The model that needs no key. The same messages always give the same calls and the same text. Nothing is loaded before
 * the first message, so that the program starts quickly.
 */
export function createBuiltinModel({ agent, plan, ...options }: BuiltinModelOptions): Model {
  const vectors = options.vectors ?? lazily(() => loadWordVectors());
  const reader = lazily(() => createReaderThread());
  const knowledge = { reader, intents: agent.intents, vectors, plan };
  return {
    label: 'built-in',
    async *stream(request, { signal }) {
      if (request.responseFormat) throw noFormats();
      try {
        const { answer } = await import('./answer.ts');
        signal.throwIfAborted();
        yield* answer(request, knowledge);
      } catch (error) {
        throw signal.aborted || error instanceof AppError ? error : failed(error);
      }
    },
  };
}

function noFormats(): AppError {
  const detail =
    'The built-in model answers in sentences. It cannot answer in a required format. Give the agent another model.';
  return new AppError('format_unsupported', { detail });
}

function failed(cause: unknown): AppError {
  const detail = 'I could not work out what you mean. Please try again, or put it in other words.';
  return new AppError('builtin_failed', { detail, cause });
}

/** Creates a value on first use and keeps it. */
function lazily<T>(make: () => T): () => T {
  let value: { made: T } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}
