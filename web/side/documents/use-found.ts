import { useEffect, useState } from 'react';
import type { FoundPassages } from '../../api/shapes.ts';
import { useActions, useDeps } from '../../state/context.ts';

const TYPING_MS = 200;

/** Passages that answer a text, a moment after the last key. Undefined while there is no text and until they arrive. */
export function useFound(base: string, query: string, topK: number): FoundPassages | undefined {
  const { api } = useDeps();
  const actions = useActions();
  const [found, setFound] = useState<{ query: string; value: FoundPassages }>();
  useEffect(() => {
    if (query.trim() === '') return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void actions.attempt(async () => {
        const json = { query, top_k: topK };
        const value = await api.read<FoundPassages>(`${base}/search`, { json, signal: stop.signal }).catch((error) => {
          if (!stop.signal.aborted) throw error;
        });
        if (value) setFound({ query, value });
      });
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [api, actions, base, query, topK]);
  return query.trim() !== '' ? found?.value : undefined;
}
