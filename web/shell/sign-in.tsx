import { useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useActions, usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';

/** Asks for a token. The field is a password field, so that browsers neither show nor complete it. */
export function SignIn() {
  const actions = useActions();
  const problem = usePage((state) => state.accessProblem);
  const [token, setToken] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = () => {
    setBusy(true);
    void actions.signIn(token.trim()).finally(() => setBusy(false));
  };
  return (
    <main className="gate">
      <form
        className="gate-card"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim()) submit();
        }}
      >
        <Icon name="lock" />
        <h1>{STRINGS.signIn.title}</h1>
        <p className="muted">{STRINGS.signIn.detail}</p>
        <label>
          {STRINGS.signIn.token}
          <input
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={token}
            aria-invalid={problem !== undefined}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        {problem && (
          <p className="bad" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" className="primary" disabled={isBusy || token.trim() === ''}>
          {isBusy ? STRINGS.signIn.checking : STRINGS.signIn.submit}
        </button>
      </form>
    </main>
  );
}
