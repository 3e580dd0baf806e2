import { useCallback, useEffect, useRef, useState } from 'react';
import { isProblem } from '../api/api.ts';
import { useDeps, usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';
import { Icon } from './icon.tsx';

export interface Loaded<T> {
  value?: T;
  problem?: string;
  reload(): void;
}

/** Reads a path of the server, and reads it again when the path or the version changes or the server is back. */
export function useLoaded<T>(path: string | undefined, version: unknown = undefined): Loaded<T> {
  const { api } = useDeps();
  const [state, setState] = useState<{ path?: string; value?: T; problem?: string }>({});
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version or round asks for another reading
  useEffect(() => {
    if (path === undefined) return;
    const stop = new AbortController();
    api
      .read<T>(path, { signal: stop.signal })
      .then((value) => setState({ path, value }))
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          setState({ path, problem: isProblem(error) ? error.message : STRINGS.unreachable.title });
      });
    return () => stop.abort();
  }, [api, path, version, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  useReconnect(reload);
  const { path: _path, ...shown } = state.path === path ? state : { path };
  return { ...shown, reload };
}

function useReconnect(onReconnect: () => void): void {
  const isLive = usePage(({ line }) => line === 'live');
  const wasLive = useRef(isLive);
  useEffect(() => {
    if (isLive && !wasLive.current) onReconnect();
    wasLive.current = isLive;
  }, [isLive, onReconnect]);
}

/** Why a panel could not be read, and a button that reads it again. */
export function LoadProblem({ text, onRetry }: { text: string; onRetry(): void }) {
  return (
    <div className="problem mild" role="group" aria-label={STRINGS.side.failed}>
      <Icon name="alert" />
      <div className="grow">
        <strong>{STRINGS.side.failed}</strong>
        <p>{text}</p>
      </div>
      <button type="button" onClick={onRetry}>
        {STRINGS.log.again}
      </button>
    </div>
  );
}
