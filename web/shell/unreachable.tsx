import { Icon } from '../parts/icon.tsx';
import { useActions, usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';

/** The server did not answer when the page began. */
export function Unreachable() {
  const actions = useActions();
  const problem = usePage((state) => state.accessProblem);
  return (
    <main className="gate">
      <div className="gate-card">
        <Icon name="alert" />
        <h1>{STRINGS.unreachable.title}</h1>
        <p className="muted">{STRINGS.unreachable.detail}</p>
        {problem && <code className="small">{problem}</code>}
        <button type="button" className="primary" onClick={() => void actions.start({})}>
          {STRINGS.unreachable.again}
        </button>
      </div>
    </main>
  );
}
