import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAgent } from '../../src/config/load-agent.ts';
import { userFromId } from '../../src/identity/user.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import type { TurnResult } from '../../src/schema/conversation/turn.ts';

const AGENT = fileURLToPath(new URL('../../agents/retail/agent.yaml', import.meta.url));
const user = userFromId('123e4567-e89b-12d3-a456-426614174000');

export interface Retail {
  /** Asks each question in a new conversation. */
  ask(message: string): Promise<TurnResult>;
  close(): Promise<void>;
}

/** The shipped retail agent, in a temporary data folder. */
export async function openRetail(): Promise<Retail> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-retail-'));
  const agent = await loadAgent(AGENT);
  const runtime = await createRuntime({ agents: [agent], folder });
  return {
    async ask(message) {
      const turn = await runtime.chat(user, { agent: agent.name, message });
      for await (const event of turn.events) if (event.type === 'turn-end') return event.result;
      throw new Error(`The turn of "${message}" did not end.`);
    },
    async close() {
      await runtime.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
