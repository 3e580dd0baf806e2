import { lazy, Suspense } from 'react';
import { usePage } from '../state/context.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';
import { Unreachable } from './unreachable.tsx';

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
