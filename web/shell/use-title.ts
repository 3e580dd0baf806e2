import { useEffect } from 'react';
import { cleanName } from '../parts/clean-name.ts';
import { usePage } from '../state/context.ts';
import { currentAgent } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';

/** The title of the browser's tab. */
export function useTitle(): void {
  const title = usePage((state) => {
    const { id } = state.conversation;
    const session = state.list.sessions.find((one) => one.session_id === id);
    return session?.title || currentAgent(state)?.name || '';
  });
  useEffect(() => {
    document.title = title ? `${cleanName(title)} · ${STRINGS.product}` : STRINGS.product;
    // After a sign-out the tab names no conversation.
    return () => {
      document.title = STRINGS.product;
    };
  }, [title]);
}
