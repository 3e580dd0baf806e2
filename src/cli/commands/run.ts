import { randomUUID } from 'node:crypto';
import { openAgents } from '../open-agent.ts';
import { createRenderer } from '../render.ts';
import { declineUnasked, denyUnasked, showTurn } from '../show-turn.ts';

export interface RunOptions {
  json?: boolean;
  verbose?: boolean;
  quiet?: boolean;
  data?: string;
}

/** Exit code of a turn that ended in an error; its text has been shown. */
const TURN_FAILED = 3;
const INTERRUPTED = 130;

/** `holodeck run`: one message, one answer. */
export async function runOnce(file: string, message: string, options: RunOptions): Promise<void> {
  const { runtime, agents, user } = await openAgents([file], options);
  const write = (text: string) => process.stdout.write(text);
  const { render } = createRenderer({ write, ...options });
  const show = options.json ? (event: object) => write(`${JSON.stringify(event)}\n`) : render;
  try {
    const agent = String(agents[0]?.name);
    const turn = await runtime.chat(user, { agent, message, idempotencyKey: randomUUID() });
    const cancel = () => void runtime.cancel(user, turn.conversationId);
    process.once('SIGINT', cancel);
    const result = await showTurn(turn, { runtime, user, show, decide: denyUnasked, reply: declineUnasked });
    process.off('SIGINT', cancel);
    if (result.status === 'error') process.exitCode = TURN_FAILED;
    if (result.status === 'cancelled') process.exitCode = INTERRUPTED;
  } finally {
    await runtime.stop();
  }
}
