import type { Clock } from '../clock.ts';
import type { McpConnection } from './client.ts';
import type { DefinitionBook } from './definition-book.ts';
import type { Log, SupervisorLimits } from './limits.ts';

export interface RefreshOptions {
  name: string;
  clock: Clock;
  log: Log;
  limits: SupervisorLimits;
  book: DefinitionBook;
  current(): McpConnection | undefined;
}

export interface Refresh {
  /** Reads the definitions again, at most once per `relistMs` however often it is asked. */
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
      if (listed) await options.book.take(listed);
    } catch (error) {
      options.log.warn(
        { server: options.name, error },
        `${options.name} said that its tools changed but did not list them`,
      );
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
