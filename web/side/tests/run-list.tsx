import { useState } from 'react';
import type { CaseStatus, RunSummary } from '../../../src/schema/tests/run-report.ts';
import { TEST_STRINGS } from '../../panel-strings.ts';
import { formatDue, formatDuration } from '../../parts/format.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { LoadProblem, useLoaded } from '../../parts/loaded.tsx';
import { useActions } from '../../state/context.ts';
import { STRINGS } from '../../strings.ts';

export interface RunPage {
  runs: readonly RunSummary[];
  next_before?: string;
}

const FEW = 20;
/** As many as the server returns at once. */
const MANY = 50;

/** Runs with their counts; each opens its cases. */
export function RunList({ path, agent }: { path: string; agent: string }) {
  const actions = useActions();
  const [limit, setLimit] = useState(FEW);
  const { value, problem, reload } = useLoaded<RunPage>(`${path}?limit=${limit}`);
  if (problem) return <LoadProblem text={problem} onRetry={reload} />;
  if (!value) return <p className="muted">{STRINGS.side.loading}</p>;
  return (
    <div className="row-panel">
      <button type="button" className="quiet test-back" onClick={reload}>
        <Icon name="retry" />
        {TEST_STRINGS.again}
      </button>
      {value.runs.length === 0 && <p className="muted">{TEST_STRINGS.none}</p>}
      <ol className="test-runs" aria-label={TEST_STRINGS.runs}>
        {value.runs.map((run) => (
          <li key={run.id}>
            <button type="button" className="test-run" onClick={() => actions.showSide('tests', run.id)}>
              <StatusMark status={run.error > 0 ? 'error' : run.failed > 0 ? 'failed' : 'passed'} />
              <span className="grow">
                {TEST_STRINGS.counts(run)}
                {run.agent !== agent && <span className="test-tag">{TEST_STRINGS.attack}</span>}
                <span className="test-facts">
                  {formatDue(run.started_at)} · {formatDuration(run.ms)} · {run.model}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      {value.next_before && limit === FEW && (
        <button type="button" className="quiet" onClick={() => setLimit(MANY)}>
          {TEST_STRINGS.older}
        </button>
      )}
    </div>
  );
}

const ICONS: Record<CaseStatus, IconName> = { passed: 'check', failed: 'cross', error: 'alert' };

/** The outcome as an icon, and as a word for screen readers. */
export function StatusMark({ status }: { status: CaseStatus }) {
  return (
    <span className={`test-mark ${status}`}>
      <Icon name={ICONS[status]} />
      <span className="visually-hidden">{TEST_STRINGS.status[status]} </span>
    </span>
  );
}
