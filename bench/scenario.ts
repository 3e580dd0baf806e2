/** Instructions for the mock model. They travel in the prompt, so that any server can be driven without settings. */
export interface Scenario {
  /** Tokens of the answer, and the time between them. */
  tokens?: number;
  gapMs?: number;
  /** Parallel tool calls before the answer, and the time that each takes. */
  calls?: number;
  toolMs?: number;
  /** Rounds of calls, one after the other; default: 1. */
  steps?: number;
  /** Delegates this to a member before the answer. */
  task?: Scenario;
  /** Sends the first token, then holds the stream until the gate opens. */
  isHeld?: boolean;
}

export const FIRST = 'ALPHA';
export const LAST = 'OMEGA';

export function toPrompt(scenario: Scenario): string {
  return `Go on. [[${Buffer.from(JSON.stringify(scenario)).toString('base64url')}]]`;
}

/** The newest scenario in a request's body. */
export function fromBody(body: string): Scenario {
  const tag = body.slice(body.lastIndexOf('[[') + 2).split(']]', 1)[0] ?? '';
  return JSON.parse(Buffer.from(tag, 'base64url').toString());
}
