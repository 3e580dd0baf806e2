import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Actions } from '../actions/actions.ts';
import type { PageDeps } from './deps.ts';
import type { DrawQueue } from './draw-queue.ts';
import type { PageState } from './page-state.ts';

export interface Page {
  deps: PageDeps;
  queue: DrawQueue;
  actions: Actions;
}

export const PageContext = createContext<Page | undefined>(undefined);

function usePageContext(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('PageContext is not provided.');
  return page;
}

/** A part of the page's state. The selector must return the same value for the same state. */
export function usePage<T>(select: (state: PageState) => T): T {
  const { store } = usePageContext().deps;
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

export function useActions(): Actions {
  return usePageContext().actions;
}

export function useDrawQueue(): DrawQueue {
  return usePageContext().queue;
}

export function useDeps(): PageDeps {
  return usePageContext().deps;
}
