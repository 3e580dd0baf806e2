import { systemIds } from '../../ids.ts';
import { fileFromPath } from '../../runtime/files/attached-file.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { User } from '../../schema/user.ts';
import { isSetUpFault } from '../../tools/tool.ts';
import { createJsonRenderer } from '../chat/pipe-front.ts';
import { findConversation } from '../chat/resume.ts';
import { modelOverrides } from '../model-flag.ts';
import { openAgents } from '../open-agent.ts';
import { createPlainRenderer } from '../render/plain-renderer.ts';
import type { Renderer } from '../render/renderer.ts';
import { createTerminalRenderer } from '../render/terminal-renderer.ts';
import { declineUnasked, denyUnasked, showTurn, TURN_FAILED, withCause } from '../show-turn.ts';
import { canDraw, terminalColors as colors } from '../terminal/colors.ts';
import { createScreen } from '../terminal/screen.ts';
import { CURSOR_OFF, CURSOR_ON } from '../terminal/terminal.ts';
import type { ChatOptions } from './chat.ts';

export interface RunOptions extends Omit<ChatOptions, 'maxMessages'> {
  /** Paths of files to send with the message. */
  file?: string[];
}

const INTERRUPTED = 130;

/** `holodeck run`: one message, one answer. */
export async function runOnce(file: string, message: string, options: RunOptions): Promise<void> {
  const { model, observability } = options;
  const overrides = { ...modelOverrides(model), ...(observability && { observability: { enabled: true } }) };
  const faults: string[] = [];
  const causes: string[] = [];
  const report = (text: string, endsTurn?: boolean) => void (endsTurn ? causes : faults).push(text);
  const { runtime, agents, user } = await openAgents([file], { ...options, overrides, report });
  const [agent] = agents;
  try {
    if (!agent) return;
    const files = await Promise.all((options.file ?? []).map(fileFromPath));
    const conversation = await findResumed({ runtime, user, agent }, options.resume);
    const turn = await runtime.chat(user, {
      agent: agent.name,
      message,
      files,
      ...conversation,
      idempotencyKey: `terminal:${systemIds.uuid()}`,
    });
    const renderer = createRenderer(agent, options);
    const cancel = () => void runtime.cancel(user, turn.conversationId);
    process.once('SIGINT', cancel);
    const show = { show: renderer.render, decide: denyUnasked, reply: declineUnasked };
    const result = await showTurn(turn, { runtime, user, ...show });
    renderer.finish(withCause(result, causes));
    process.off('SIGINT', cancel);
    if (result.status === 'error' || isNotSetUp(result)) process.exitCode = TURN_FAILED;
    if (result.status === 'cancelled') process.exitCode = INTERRUPTED;
  } finally {
    await runtime.stop();
    // Printed after the answer, because other output would disturb the drawing.
    for (const text of new Set([...faults, ...causes])) process.stderr.write(`${text}\n`);
  }
}

/** An answer without any tool that could run is no success for a script, even if the model found polite words. */
function isNotSetUp({ tool_calls: calls }: TurnResult): boolean {
  return calls.length > 0 && calls.every(({ error }) => isSetUpFault(error));
}

async function findResumed(
  parts: { runtime: Runtime; user: User; agent: Agent },
  resume: string | true | undefined,
): Promise<{ conversationId?: string }> {
  if (resume === undefined) return {};
  const wanted = resume === true ? undefined : resume;
  const { id } = await findConversation({ ...parts, conversationId: undefined }, wanted);
  return { conversationId: id };
}

function createRenderer(agent: Agent, { json, verbose = false, quiet = false }: RunOptions): Renderer {
  const write = (text: string) => void process.stdout.write(text);
  const writeAside = (text: string) => void process.stderr.write(text);
  if (json) return createJsonRenderer(write);
  if (!canDraw()) return createPlainRenderer({ write, writeAside, verbose, quiet });
  const screen = createScreen(process.stdout);
  const renderer = createTerminalRenderer({ screen, colors, agent, verbose, quiet });
  process.stdout.on('resize', () => renderer.resized(screen.resized()));
  // There is no input here, and the hidden cursor stays at the start of the drawn rows.
  write(CURSOR_OFF);
  process.once('exit', () => {
    screen.commit();
    write(CURSOR_ON);
  });
  return renderer;
}
