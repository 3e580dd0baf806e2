import type { Log } from '../log.ts';
import type { Event } from '../schema/event.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Attempt } from './attempt.ts';

/** Takes the events of an attempt for the telemetry; undefined where nobody watches. Never throws. */
export function watchAttempt(
  { telemetry, log }: { telemetry?: Telemetry; log?: Log },
  { ready, lease }: Pick<Attempt, 'ready' | 'lease'>,
): ((event: Event) => void) | undefined {
  const { turnId, conversationId, attempt } = lease;
  const watch = telemetry?.watchTurn({ agent: ready.agent, turnId, conversationId, attempt });
  if (!watch) return undefined;
  return (event) => {
    try {
      watch(event);
    } catch (error) {
      log?.('a trace could not be written', { error });
    }
  };
}
