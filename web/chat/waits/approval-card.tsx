import type { Interrupt } from '@ag-ui/client';
import { useId, useState } from 'react';
import type { KnownName } from '../../../src/schema/conversation/event.ts';
import { cleanName } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { STRINGS } from '../../strings.ts';
import { Arguments } from '../calls/call-details.tsx';

interface ApprovalCardProps {
  wait: Interrupt;
  decision: unknown;
  isBusy: boolean;
  onDecide(payload: { approved: boolean; reason?: string }): void;
}

/** A tool that needs permission, with the exact arguments that it runs with. */
export function ApprovalCard({ wait, decision, isBusy, onDecide }: ApprovalCardProps) {
  const [isDenying, setDenying] = useState(false);
  const [reason, setReason] = useState('');
  const title = useId();
  const isDecided = decision !== undefined;
  return (
    <section className="approval" aria-labelledby={title}>
      <h3 id={title}>
        <Icon name="shield" />
        {titleOf(wait)}
      </h3>
      <Arguments value={wait.metadata?.arguments} />
      <KnownNames value={wait.metadata?.names} />
      <p className="muted small">{STRINGS.approval.detail}</p>
      {isDenying ? (
        <form
          className="form-row"
          onSubmit={(event) => {
            event.preventDefault();
            onDecide({ approved: false, ...(reason.trim() && { reason: reason.trim() }) });
          }}
        >
          <label className="grow">
            <span className="visually-hidden">{STRINGS.approval.reason}</span>
            <input
              autoFocus
              value={reason}
              placeholder={STRINGS.approval.reason}
              maxLength={500}
              onChange={(event) => setReason(event.target.value)}
            />
          </label>
          <button type="button" onClick={() => setDenying(false)}>
            {STRINGS.approval.back}
          </button>
          <button type="submit" className="danger" disabled={isBusy}>
            {STRINGS.approval.sendDenial}
          </button>
        </form>
      ) : (
        <div className="form-row">
          <button
            type="button"
            className="primary"
            disabled={isBusy || isDecided}
            onClick={() => onDecide({ approved: true })}
          >
            {STRINGS.approval.allow}
          </button>
          <button type="button" disabled={isBusy || isDecided} onClick={() => setDenying(true)}>
            {STRINGS.approval.deny}
          </button>
        </div>
      )}
    </section>
  );
}

function titleOf({ metadata, toolCallId }: Interrupt): string {
  const agent = metadata?.agent;
  return STRINGS.approval.title(
    cleanName(String(metadata?.tool ?? toolCallId)),
    agent === undefined ? undefined : cleanName(String(agent)),
  );
}

/** The names that earlier results gave for ids in the arguments, each with the tool that returned it. */
function KnownNames({ value }: { value: unknown }) {
  const names = (Array.isArray(value) ? value : []) as KnownName[]; // our own server sends this list
  if (names.length === 0) return null;
  return (
    <ul className="plain-list known-names">
      {names.map(({ argument, name, tool }) => (
        <li key={`${argument} ${name}`}>
          {cleanName(argument)} {STRINGS.approval.name.is} <strong>“{cleanName(name)}”</strong>
          <span className="muted">, {STRINGS.approval.name.says(cleanName(tool))}</span>
        </li>
      ))}
    </ul>
  );
}
