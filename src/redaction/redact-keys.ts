import { TOKENS } from './patterns.ts';
import { createRedactor, type Redactor } from './redactor.ts';

/** Hides keys and tokens by their shape, and the values of keys that name a secret. For logs, traces and exports. */
export const keyRedactor: Redactor = createRedactor({ patterns: TOKENS, hidesNamedKeys: true });
