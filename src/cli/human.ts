import type { Interface } from 'node:readline';
import type { Json } from '../schema/json.ts';
import { displayJson, sanitizeText } from '../tools/sanitize.ts';
import type { Decision, WaitEvent } from './show-turn.ts';

/** The person at the terminal: decides about calls and answers their questions. */
export interface Human {
  decide(event: WaitEvent): Promise<Decision>;
  reply(event: WaitEvent): Promise<Json | undefined>;
}

export function createHuman(lines: Interface): Human {
  const ask = (text: string) => new Promise<string>((resolve) => lines.question(text, (line) => resolve(line.trim())));
  return {
    async decide({ wait, tool }) {
      const what = wait.kind === 'approval' ? displayJson(wait.sent_arguments) : '';
      const said = await ask(`  allow ${sanitizeText(tool)}? ${what}  [y / N / no, because …] `);
      if (/^y(es)?$/i.test(said)) return { approved: true };
      const reason = said.replace(/^no?\b[\s,:]*/i, '').trim();
      return reason === '' ? { approved: false } : { approved: false, reason };
    },
    async reply({ wait, tool }) {
      if (wait.kind !== 'input') return undefined;
      const said = await ask(`  ${sanitizeText(tool)} asks: ${sanitizeText(wait.question)}  [empty = decline] `);
      return said === '' ? undefined : readReply(said);
    },
  };
}

/** A form is answered as JSON; anything else is the one value that was asked for. */
function readReply(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
