import type { Api } from '../api/api.ts';
import type { PageState } from './page-state.ts';
import type { Place } from './place.ts';
import type { Store } from './store.ts';

/** Parts that the actions of the page work with; made once, in main. */
export interface PageDeps {
  api: Api;
  store: Store<PageState>;
  /** Shows the place in the address bar. */
  showPlace(place: Place, how: 'push' | 'replace'): void;
  storage: PageStorage;
}

/** Values that outlive a refresh. The token and the drafts end with the tab. */
export interface PageStorage {
  readToken(): string | undefined;
  writeToken(token: string | undefined): void;
  readDraft(conversation: string): string;
  writeDraft(conversation: string, text: string): void;
  clearDrafts(): void;
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
