import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Agent } from '../schema/agent.ts';
import type { StoreAdmin } from '../store/admin.ts';

export interface RetentionOptions {
  agents(): readonly Agent[];
  openAdmin(): Promise<StoreAdmin>;
  clock: Clock;
  log?: Log | undefined;
}

const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/** Days that single calls of programs are kept. */
const CALL_DAYS = 1;

/** Removes data that is older than `retention` allows, and old calls of programs, about once an hour. */
export function startRetention({ agents, openAdmin, clock, log }: RetentionOptions): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  const removeOld = async () => {
    const audit = auditDays(agents());
    const admin = await openAdmin();
    try {
      for (const { name, retention } of agents())
        await admin.removeOld(name, { ...retention, audit, calls: CALL_DAYS }, clock.date());
    } finally {
      await admin.close();
    }
  };
  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      void removeOld()
        .catch((error: unknown) => log?.('old data could not be removed', { error }))
        .then(() => schedule(EVERY_MS));
    }, ms).unref();
  };
  schedule(FIRST_MS);
  return { close: () => clearTimeout(timer) };
}

/** Audit records name no agent, so none is removed before the longest time of all agents, or if one sets no time. */
export function auditDays(agents: readonly Pick<Agent, 'retention'>[]): number | undefined {
  const longest = Math.max(...agents.map(({ retention }) => retention.audit ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(longest) ? longest : undefined;
}
