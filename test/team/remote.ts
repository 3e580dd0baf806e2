import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadAgent } from '../../src/config/load-agent.ts';
import { createRuntime, type Runtime } from '../../src/runtime/runtime.ts';
import type { CallAnswer } from '../../src/schema/conversation/event.ts';
import { ALICE } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { delegateTo, scriptedTeam } from './team.ts';

export const CARD = '/.well-known/agent-card.json';

export interface LeadScene {
  url: string;
  token?: string;
  folder?: string;
  more?: string;
  /** A header beside the login. */
  header?: string;
}

/** A team whose member is at an address: one file, as people write it. Its task is "Ship 7.", or another message than `go`. */
export function writeLead(folder: string, url: string, { more = '', header = '' }: Partial<LeadScene> = {}): string {
  const file = join(folder, 'agent.yaml');
  const headers = `{ authorization: "Bearer \${TOKEN}" ${header && `, ${header}`} }`;
  writeFileSync(
    file,
    `name: lead\ninstructions: lead\nmodel: { provider: google, name: x, api_key: "\${KEY}" }\nsub_agents: [freight]\nagents:\n  freight: { a2a: ${url}${CARD}, description: Ships goods, headers: ${headers} }\n${more}`,
  );
  return file;
}

export async function openLead({ url, token = 'alice', folder = temporaryFolder(), ...more }: LeadScene) {
  const agent = await loadAgent(writeLead(folder, url, more), { env: { TOKEN: token, KEY: 'k' } });
  const lead = (step: number, { messages }: { messages: readonly { content: string }[] }) => {
    const last = messages.at(-1)?.content ?? '';
    return step === 0 ? { calls: [delegateTo('freight', last === 'go' ? 'Ship 7.' : last)] } : `Told: ${last}`;
  };
  const model = scriptedTeam({ lead });
  const runtime = await createRuntime({ agents: [agent], folder, model });
  onTestFinished(() => runtime.stop());
  return { runtime, folder, agent, model };
}

/** Sends a message, or the answer to a question, and reads until the turn ends or asks. */
export async function untilAsked(runtime: Runtime, to: { conversationId: string; answers: CallAnswer[] } | string) {
  const turn = await (typeof to === 'string'
    ? runtime.chat(ALICE, { agent: 'lead', message: to, idempotencyKey: to })
    : runtime.answer(ALICE, to));
  for await (const event of turn.events) {
    const isPause = turn.pausesAt?.(event) ?? false;
    if (event.type !== 'turn-end' && !(isPause && event.type === 'turn-wait')) continue;
    const { result } = event;
    const call_id = result.tool_calls[0]?.id ?? '';
    return {
      result,
      say: (said: string) => ({ conversationId: turn.conversationId, answers: [{ call_id, result: said }] }),
    };
  }
  throw new Error('the turn has no end');
}
