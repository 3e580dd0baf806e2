import { IconButton } from '../parts/icon-button.tsx';
import { useActions, usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';

/** Shows who can reach the page, or who is signed in. */
export function Reach() {
  const actions = useActions();
  const me = usePage((state) => state.me);
  if (!me) return null;
  if (me.auth === 'none') {
    const isLocal = me.reach === 'loopback';
    return (
      <p className="reach" title={isLocal ? STRINGS.header.loopback : STRINGS.header.network}>
        {isLocal ? STRINGS.header.loopbackShort : STRINGS.header.networkShort}
      </p>
    );
  }
  return (
    <>
      <p className="reach">{STRINGS.header.signedIn(me.name ?? me.id)}</p>
      <IconButton icon="out" label={STRINGS.header.signOut} onClick={actions.signOut} />
    </>
  );
}
