import type { CaseReport } from '../../../src/schema/tests/run-report.ts';
import { cleanName } from '../../parts/clean-name.ts';
import { formatDuration } from '../../parts/format-time.ts';
import { StatusMark } from './status-mark.tsx';
import { TEST_STRINGS } from './test-strings.ts';
import { TurnOutcome } from './turn-outcome.tsx';

/** A case that opens to its turns; one that did not pass is open from the start. */
export function CaseItem({ report, isNew }: { report: CaseReport; isNew: boolean }) {
  const { name, status, turns, error } = report;
  return (
    <details className="test-case" open={status !== 'passed'}>
      <summary>
        <StatusMark status={status} />
        <span className="grow">
          {cleanName(name)}
          {isNew && <span className="test-tag bad">{TEST_STRINGS.isNew}</span>}
          <span className="test-facts">{factsOf(report)}</span>
        </span>
      </summary>
      {error !== undefined && <p className="problem mild">{error}</p>}
      {turns.map((turn, index) => (
        <TurnOutcome
          key={`${index}.${turn.input}`}
          turn={turn}
          label={turns.length > 1 ? TEST_STRINGS.turn(index + 1) : TEST_STRINGS.asked}
        />
      ))}
    </details>
  );
}

function factsOf({ runs, passed_runs, ms, tokens, class: kind }: CaseReport): string {
  return [
    ...(kind === undefined ? [] : [kind]),
    ...(runs > 1 ? [TEST_STRINGS.rate(passed_runs, runs)] : []),
    formatDuration(ms),
    ...(tokens ? [TEST_STRINGS.tokens(tokens)] : []),
  ].join(' · ');
}
