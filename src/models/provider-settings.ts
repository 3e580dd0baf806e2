import type { Clock } from '../clock.ts';
import type { ReasoningEffort } from '../schema/agent.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Refusals } from './refusals.ts';

/** What every provider needs to be made. */
export interface ProviderSettings {
  name: string;
  endpoint?: string | undefined;
  apiKey?: string | undefined;
  /** The environment variable that holds the key; named when the key is refused. */
  keyVariable?: string | undefined;
  /** Absent = not sent: the provider's own default. The same for the next two. */
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  reasoningEffort?: ReasoningEffort | undefined;
  /** A longer reply is cut and ends as `length`. */
  maxReplyChars?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Put over the body of every request. */
  extraBody?: JsonObject | undefined;
  /** Shared by all models of the process. */
  refusals?: Refusals | undefined;
  /** Takes sentences for the agent's author. */
  warn?: ((text: string) => void) | undefined;
  clock: Clock;
}
