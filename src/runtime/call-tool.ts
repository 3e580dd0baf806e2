import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { hashDefinition } from '../tools/offer.ts';
import { prepareCall } from '../tools/prepare-call.ts';
import { type OutsideDeps, runOutside } from './outside-call.ts';

export interface CallToolInput {
  agent: string;
  tool: string;
  arguments: JsonObject;
  signal: AbortSignal;
  progress?(text: string): void;
  /** The user's decision on the call that `proposal` names. */
  decision?: { proposal: string; approved: boolean };
}

/** The ended call, or the call as it would be sent, which the user has to allow first. */
export type CalledTool = { call: ToolCall } | { proposal: string; sentArguments: JsonObject };

/**
 * Runs one of an agent's tools for a client that is itself the model: prepared, bound, approved and audited as in a turn.
 * An approval is valid for the exact arguments and definition that were shown.
 */
export async function callTool(deps: OutsideDeps, user: User, input: CallToolInput): Promise<CalledTool> {
  const ready = deps.findAgent(input.agent);
  const { offered } = await ready.offer(user, { signal: input.signal });
  const tool = offered.get(input.tool)?.tool;
  if (!tool) throw new AppError('not_found', { detail: `The agent ${input.agent} has no tool ${input.tool}.` });
  const call: ToolCall = { id: deps.ids.ulid(), name: input.tool, arguments: input.arguments, state: 'pending' };
  const run = {
    ready,
    tools: offered,
    call,
    signal: input.signal,
    ...(input.progress && { progress: input.progress }),
  };
  const prepared = prepareCall({ call, tools: offered, user, validator: await ready.validator() });
  if (!tool.needsApproval || 'error' in prepared)
    return { call: await runOutside(deps, user, { ...run, approval: '' }) };
  const { sentArguments } = prepared;
  const proposal = createHash('sha256')
    .update(JSON.stringify([hashDefinition(tool), sentArguments]))
    .digest('hex');
  if (input.decision?.proposal !== proposal) return { proposal, sentArguments };
  if (input.decision.approved) return { call: await runOutside(deps, user, { ...run, approval: 'approved' }) };
  const at = deps.clock.date().toISOString();
  const place = { at, user_id: user.id, call_id: call.id, tool: call.name };
  await deps.store.addAudit(user, [{ ...place, action: 'denial', arguments: sentArguments, outcome: 'denied' }]);
  const message = `${call.name} was not allowed to run.`;
  return { call: { ...call, state: 'failed', error: { error_type: 'PermissionDenied', message } } };
}
