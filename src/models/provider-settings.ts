import type { Clock } from '../clock.ts';

/** What every provider needs to be made. */
export interface ProviderSettings {
  name: string;
  endpoint?: string | undefined;
  apiKey?: string | undefined;
  /** The environment variable that holds the key; named when the key is refused. */
  keyVariable?: string | undefined;
  temperature: number;
  maxTokens: number;
  clock: Clock;
}
