import type { Clock } from '../../clock.ts';
import type { McpConnection } from '../client/client.ts';
import type { Log, SupervisorLimits } from '../limits.ts';
import type { AcceptedDefinitions } from './accepted-definitions.ts';

export interface RefreshOptions {
  name: string;
  clock: Clock;
  log: Log;
  limits: SupervisorLimits;
  definitions: AcceptedDefinitions;
  current(): McpConnection | undefined;
}

export interface Refresh {
  /** Reads the definitions again, at most once per `relistMs`. */
  soon(): void;
  stop(): void;
}

export function createRefresh(options: RefreshOptions): Refresh {
  const { clock, limits } = options;
  let cancel: (() => void) | undefined;
  const relist = async () => {
    const abort = new AbortController();
    const stop = clock.after(limits.startMs, () => abort.abort());
    try {
      const listed = await options.current()?.listTools(abort.signal);
      if (listed) await options.definitions.take(listed);
    } catch (error) {
      options.log.warn({ server: options.name, error }, `${options.name} reported changed tools but did not list them`);
    } finally {
      stop();
      cancel = undefined;
    }
  };
  return {
    soon() {
      cancel ??= clock.after(limits.relistMs, () => void relist());
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
  };
}
