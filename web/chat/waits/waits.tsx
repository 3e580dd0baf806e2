import { useState } from 'react';
import type { Decision } from '../../actions/sending.ts';
import { useActions } from '../../state/context.ts';
import type { Turn } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';
import { ApprovalCard } from './approval-card.tsx';
import { QuestionForm } from './question-form.tsx';

/** Decisions that a turn waits for. The server takes all of them at once. */
export default function Waits({ turn }: { turn: Turn }) {
  const actions = useActions();
  const [decisions, setDecisions] = useState<Readonly<Record<string, unknown>>>({});
  const [isSending, setSending] = useState(false);
  const decide = (id: string, payload: unknown) => {
    const next = { ...decisions, [id]: payload };
    setDecisions(next);
    if (!turn.waits.every((wait) => wait.id in next)) return;
    const all = turn.waits.map((wait): Decision => ({ interruptId: wait.id, payload: next[wait.id] }));
    setSending(true);
    void actions.attempt(() => actions.decide(all)).finally(() => setSending(false));
  };
  return (
    <div className="waits">
      {turn.waits.map((wait) =>
        wait.reason === 'tool_approval' ? (
          <ApprovalCard
            key={wait.id}
            wait={wait}
            decision={decisions[wait.id]}
            isBusy={isSending}
            onDecide={(payload) => decide(wait.id, payload)}
          />
        ) : (
          <QuestionForm key={wait.id} wait={wait} isBusy={isSending} onAnswer={(payload) => decide(wait.id, payload)} />
        ),
      )}
      {turn.waits.length > 1 && <p className="muted small">{STRINGS.approval.rest}</p>}
    </div>
  );
}
