import type { Log } from '../log.ts';
import type { Event } from '../schema/event.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Attempt } from './attempt.ts';

/** The events of an attempt, each told to the telemetry as it passes; unchanged where nobody watches. */
export function watched(
  { telemetry, log }: { telemetry?: Telemetry; log?: Log },
  { ready, lease }: Attempt,
  events: AsyncGenerator<Event, TurnResult>,
): AsyncGenerator<Event, TurnResult> {
  const { turnId, conversationId, attempt } = lease;
  const watch = telemetry?.watchTurn({ agent: ready.agent, turnId, conversationId, attempt });
  return watch ? tap(events, (event) => quietly(watch, event, log)) : events;
}

async function* tap(
  events: AsyncGenerator<Event, TurnResult>,
  look: (event: Event) => void,
): AsyncGenerator<Event, TurnResult> {
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
    look(next.value);
    yield next.value;
  }
}

/** A turn never fails because of who watches it. */
function quietly(watch: (event: Event) => void, event: Event, log: Log | undefined): void {
  try {
    watch(event);
  } catch (error) {
    log?.('a trace could not be written', { error });
  }
}
