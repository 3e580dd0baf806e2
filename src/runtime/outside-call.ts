import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { User } from '../schema/user.ts';
import type { AuditRecord, Store } from '../store/store.ts';
import type { OfferedTool } from '../tools/offer.ts';
import { prepareCall } from '../tools/prepare-call.ts';
import { runCall } from '../tools/run-call.ts';
import type { ReadyAgent } from './agents/ready-agent.ts';
import { auditOf } from './audit.ts';

export interface OutsideDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  findAgent(name: string): ReadyAgent;
}

export interface OutsideCall {
  ready: ReadyAgent;
  tools: ReadonlyMap<string, OfferedTool>;
  call: ToolCall;
  signal: AbortSignal;
  /** How the user allowed a tool that needs an approval, for the audit. */
  approval: string;
  progress?(text: string): void;
}

/**
 * Prepares, binds, runs and audits a call outside a conversation and without a model. Reads are not audited: nothing was
 * done.
 */
export async function runOutside({ store, clock }: OutsideDeps, user: User, input: OutsideCall): Promise<ToolCall> {
  const { ready, tools, call, signal, approval } = input;
  const prepared = prepareCall({ call, tools, user, validator: await ready.validator() });
  const tool = tools.get(call.name)?.tool;
  const audited: AuditRecord[] = [];
  const ended = await runCall({
    call,
    prepared,
    user,
    conversationId: '',
    clock,
    signal,
    timeoutMs: ready.agent.loop.tool_timeout_seconds * 1_000,
    progress: input.progress ?? (() => {}),
    ask: () => Promise.reject(new AppError('awaiting_input', { detail: 'Nobody can be asked here.' })),
    async onRun({ sent_arguments, started_at }) {
      if (!tool?.needsApproval) return;
      const place = { at: started_at, user_id: user.id, call_id: call.id, tool: call.name };
      await store.addAudit(user, [{ ...place, action: 'approval', arguments: sent_arguments, outcome: approval }]);
    },
  });
  if (!tool?.readOnly) {
    const end = { type: 'tool-call-end' as const, call: ended, message_id: '', id: '', at: clock.date().toISOString() };
    audited.push(...auditOf(end, user));
  }
  if (audited.length > 0) await store.addAudit(user, audited);
  return ended;
}
