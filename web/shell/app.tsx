import { usePage } from '../state/context.ts';
import { ReplaceUser } from './replace-user.tsx';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';
import { Unreachable } from './unreachable.tsx';

export function App() {
  const access = usePage((state) => state.access);
  switch (access) {
    case 'starting':
      return <main className="gate" aria-busy="true" />;
    case 'out':
      return <SignIn />;
    case 'asking':
      return <ReplaceUser />;
    case 'unreachable':
      return <Unreachable />;
    case 'in':
      return <Shell />;
  }
}
