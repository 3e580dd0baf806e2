import { lazy, Suspense } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useActions, usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

/** Loaded by a link with another user's token. */
const ReplaceUser = lazy(() => import('./replace-user.tsx'));

export function App() {
  const access = usePage((state) => state.access);
  switch (access) {
    case 'starting':
      return <main className="gate" aria-busy="true" />;
    case 'out':
      return <SignIn />;
    case 'asking':
      return (
        <Suspense>
          <ReplaceUser />
        </Suspense>
      );
    case 'unreachable':
      return <Unreachable />;
    case 'in':
      return <Shell />;
  }
}

/** The server did not answer when the page began. */
function Unreachable() {
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
