import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { ReasoningEffort } from '../../schema/agent.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { JsonMode } from '../../schema/model-config.ts';
import type { Post } from '../http-post.ts';
import type { Windows } from './ollama/window.ts';

/** Settings of every provider. */
export interface ProviderSettings {
  name: string;
  endpoint?: string | undefined;
  apiKey?: string | undefined;
  /** The environment variable of the key, named when the key is refused. */
  keyVariable?: string | undefined;
  /** If absent, not sent: the provider's default applies. The same holds for the next two. */
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  reasoningEffort?: ReasoningEffort | undefined;
  /** Whether pictures are sent. */
  vision?: boolean | undefined;
  /** If absent, `schema`. */
  jsonMode?: JsonMode | undefined;
  /** A longer reply is cut and ends as `length`. */
  maxReplyChars?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Merged into the body of every request. */
  extraBody?: JsonObject | undefined;
  /** The file's `limits.context_tokens`. */
  contextTokens?: number | undefined;
  /** Shared by all models of the process, as is the next one. */
  refusals?: Refusals | undefined;
  windows?: Windows | undefined;
  /** Receives sentences for the agent's author. */
  warn?: ((text: string) => void) | undefined;
  /** Sends the requests; a connection of its own by default. */
  post?: Post | undefined;
  clock: Clock;
  ids: Ids;
}

/** Parameters that providers refused, by endpoint and model. The process has one instance. */
export interface Refusals {
  read(endpoint: string, model: string): ReadonlySet<string>;
  add(endpoint: string, model: string, names: ReadonlySet<string>): void;
}

export function createRefusals(): Refusals {
  const known = new Map<string, Set<string>>();
  const keyOf = (endpoint: string, model: string) => `${endpoint} ${model}`;
  return {
    read: (endpoint, model) => known.get(keyOf(endpoint, model)) ?? new Set(),
    add(endpoint, model, names) {
      const key = keyOf(endpoint, model);
      known.set(key, new Set([...(known.get(key) ?? []), ...names]));
    },
  };
}
