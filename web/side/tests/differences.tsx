import type { RunComparison, RunSummary } from '../../../src/schema/tests/run-report.ts';
import { TEST_STRINGS } from '../../panel-strings.ts';
import { cleanName, formatDue } from '../../parts/format.ts';

interface DifferencesProps {
  others: readonly RunSummary[];
  /** The run that is compared with. */
  base: string | undefined;
  comparison: RunComparison | undefined;
  onChoose(id: string): void;
}

/** Cases whose outcome changed between two runs, new failures first, then time and tokens. */
export function Differences({ others, base, comparison, onChoose }: DifferencesProps) {
  if (others.length === 0) return <p className="muted small">{TEST_STRINGS.first}</p>;
  return (
    <section aria-label={TEST_STRINGS.differences}>
      <label className="test-compare">
        <span className="tasks-head">{TEST_STRINGS.comparedWith}</span>
        <select value={base ?? ''} onChange={(event) => onChoose(event.target.value)}>
          {base === undefined && <option value="" />}
          {others.map((run) => (
            <option key={run.id} value={run.id}>
              {`${formatDue(run.started_at)}: ${TEST_STRINGS.counts(run)}`}
            </option>
          ))}
        </select>
      </label>
      {comparison && <Changes comparison={comparison} />}
    </section>
  );
}

function Changes({ comparison }: { comparison: RunComparison }) {
  const { new_failures, fixed, added, removed, ms, tokens, cost_usd: cost } = comparison;
  const isSame = new_failures.length + fixed.length === 0;
  return (
    <dl className="facts">
      <Names label={TEST_STRINGS.newFailures} names={new_failures} className="bad" />
      <Names label={TEST_STRINGS.fixed} names={fixed} />
      {isSame && <dd className="test-same">{TEST_STRINGS.same}</dd>}
      <Names label={TEST_STRINGS.added} names={added} />
      <Names label={TEST_STRINGS.removed} names={removed} />
      <dt>{TEST_STRINGS.time}</dt>
      <dd>{signed(ms)} ms</dd>
      {tokens !== undefined && (
        <>
          <dt>{TEST_STRINGS.used}</dt>
          <dd>{signed(tokens)}</dd>
        </>
      )}
      {cost !== undefined && (
        <>
          <dt>{TEST_STRINGS.cost}</dt>
          <dd>{TEST_STRINGS.dollars(cost)}</dd>
        </>
      )}
    </dl>
  );
}

const SHOWN_NAMES = 10;

function Names({ label, names, className }: { label: string; names: readonly string[]; className?: string }) {
  if (names.length === 0) return null;
  const more = names.length - SHOWN_NAMES;
  const shown = names.slice(0, SHOWN_NAMES).map(cleanName).join(', ');
  return (
    <>
      <dt>{label}</dt>
      <dd className={className}>
        {shown} {more > 0 && TEST_STRINGS.more(more)}
      </dd>
    </>
  );
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toLocaleString('en-US')}`;
}
