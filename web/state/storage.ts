import type { PageStorage } from './deps.ts';

const TOKEN = 'holodeck.token';
const DRAFT = 'holodeck.draft.';

/** Browsers may refuse storage; the page then works without it. */
export function createPageStorage(session: Storage | undefined): PageStorage {
  return {
    readToken: () => session?.getItem(TOKEN) ?? undefined,
    writeToken: (token) => write(session, TOKEN, token ?? ''),
    readDraft: (conversation) => session?.getItem(DRAFT + conversation) ?? '',
    writeDraft: (conversation, text) => write(session, DRAFT + conversation, text),
    clearDrafts() {
      for (const key of Object.keys(session ?? {})) if (key.startsWith(DRAFT)) session?.removeItem(key);
    },
  };
}

function write(session: Storage | undefined, key: string, value: string): void {
  try {
    if (value) session?.setItem(key, value);
    else session?.removeItem(key);
  } catch {
    // A full storage loses the draft at the next refresh, and nothing else.
  }
}

export function openSessionStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
