import './tests.css';
import { useState } from 'react';
import type { RunComparison, RunReport } from '../../../src/schema/tests/run-report.ts';
import { TEST_STRINGS } from '../../panel-strings.ts';
import { formatDue, formatDuration } from '../../parts/format.ts';
import { LoadProblem, useLoaded } from '../../parts/loaded.tsx';
import { useActions, usePage } from '../../state/context.ts';
import { currentAgent } from '../../state/page-state.ts';
import { STRINGS } from '../../strings.ts';
import { CaseItem } from './case-item.tsx';
import { Differences } from './differences.tsx';
import { RunList, type RunPage } from './run-list.tsx';

/** The stored runs of the agent's test cases, or the run that the address names. */
export default function TestsPanel({ at }: { at: string | undefined }) {
  const agent = usePage(currentAgent)?.name;
  if (agent === undefined) return null;
  const path = `/agent/${encodeURIComponent(agent)}/runs`;
  return at ? <RunView key={at} path={path} id={at} /> : <RunList path={path} agent={agent} />;
}

/** A run: its facts, its differences to another run, and its cases, new failures first. */
function RunView({ path, id }: { path: string; id: string }) {
  const actions = useActions();
  const { value: run, problem, reload } = useLoaded<RunReport>(`${path}/${encodeURIComponent(id)}`);
  const { value: page } = useLoaded<RunPage>(`${path}?limit=50`);
  const [chosen, setChosen] = useState<string>();
  const others = (page?.runs ?? []).filter((other) => other.agent === run?.agent && other.id !== id);
  const base = chosen ?? others.find((other) => other.id < id)?.id;
  const compared = base && `${path}/${encodeURIComponent(id)}/differences?with=${base}`;
  const { value: comparison } = useLoaded<RunComparison>(compared);
  return (
    <div className="row-panel">
      <button type="button" className="quiet test-back" onClick={() => actions.showSide('tests')}>
        {TEST_STRINGS.all}
      </button>
      {problem && <LoadProblem text={problem} onRetry={reload} />}
      {!run && !problem && <p className="muted">{STRINGS.side.loading}</p>}
      {run && (
        <>
          <Facts run={run} />
          <Differences others={others} base={base} comparison={comparison} onChoose={setChosen} />
          <Cases run={run} newFailures={comparison?.new_failures ?? []} />
        </>
      )}
    </div>
  );
}

function Facts({ run }: { run: RunReport }) {
  return (
    <dl className="facts">
      <dt>{TEST_STRINGS.started}</dt>
      <dd>{formatDue(run.started_at)}</dd>
      <dt>{TEST_STRINGS.time}</dt>
      <dd>{formatDuration(run.ms)}</dd>
      <dt>{TEST_STRINGS.model}</dt>
      <dd>{run.model}</dd>
    </dl>
  );
}

function Cases({ run, newFailures }: { run: RunReport; newFailures: readonly string[] }) {
  const isNew = (name: string) => newFailures.includes(name);
  const failing = run.cases
    .filter(({ status }) => status !== 'passed')
    .toSorted((a, b) => Number(isNew(b.name)) - Number(isNew(a.name)));
  const passing = run.cases.filter(({ status }) => status === 'passed');
  return (
    <section aria-label={TEST_STRINGS.cases}>
      <h3 className="tasks-head">{failing.length > 0 ? TEST_STRINGS.failing : TEST_STRINGS.allPassed}</h3>
      {failing.map((one) => (
        <CaseItem key={one.name} report={one} isNew={isNew(one.name)} />
      ))}
      {passing.length > 0 && (
        <details className="test-passing" open={failing.length === 0}>
          <summary>{TEST_STRINGS.passing(passing.length)}</summary>
          {passing.map((one) => (
            <CaseItem key={one.name} report={one} isNew={false} />
          ))}
        </details>
      )}
    </section>
  );
}
