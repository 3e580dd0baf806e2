import type { Log } from '../../log.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { Telemetry, TurnWatch } from '../../telemetry/telemetry.ts';
import type { TurnAttempt } from './attempt.ts';

/** Passes the events of an attempt to telemetry; undefined if telemetry is off. Never throws. */
export function watchAttempt(
  { telemetry, log }: { telemetry?: Telemetry; log?: Log },
  { ready, lease, traceparent }: Pick<TurnAttempt, 'ready' | 'lease'> & { traceparent: string | undefined },
): TurnWatch | undefined {
  const { turnId, conversationId, attempt } = lease;
  const watch = telemetry?.watchTurn({ agent: ready.agent, turnId, conversationId, attempt, traceparent });
  if (!watch) return undefined;
  const take = (event: Event) => {
    try {
      watch.take(event);
    } catch (error) {
      log?.('a trace could not be written', { error });
    }
  };
  return { ...watch, take };
}
