import { Icon } from '../parts/icon.tsx';
import { useActions, usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';

/** A link has brought the token of another user. Nobody is signed out by following a link. */
export default function ReplaceUser() {
  const actions = useActions();
  const offer = usePage((state) => state.offer);
  if (!offer) return null;
  return (
    <main className="gate">
      <div className="gate-card" role="group" aria-label={STRINGS.replace.title}>
        <Icon name="lock" />
        <h1>{STRINGS.replace.title}</h1>
        <p className="muted">{STRINGS.replace.detail(offer.from, offer.to)}</p>
        <button type="button" className="primary" onClick={() => void actions.answerOffer(false)}>
          {STRINGS.replace.stay(offer.from)}
        </button>
        <button type="button" onClick={() => void actions.answerOffer(true)}>
          {STRINGS.replace.change(offer.to)}
        </button>
      </div>
    </main>
  );
}
