import type { CaseReport, Failure, MetricScore, TurnReport } from '../../../src/schema/tests/run-report.ts';
import { TEST_STRINGS } from '../../panel-strings.ts';
import { FoldedText } from '../../parts/folded-text.tsx';
import { cleanName, formatDuration } from '../../parts/format.ts';
import { StatusMark } from './run-list.tsx';

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

/** A message of a case with everything that was expected and did not happen. */
function TurnOutcome({ turn, label }: { turn: TurnReport; label: string }) {
  const missed = turn.metrics.filter(({ passed }) => !passed);
  return (
    <div className="test-turn">
      <p>
        <span className="muted small">{label}: </span>
        {turn.input}
      </p>
      {turn.failures.map((failure, index) => (
        <MissedExpectation key={`${index}.${failure.expectation}`} failure={failure} />
      ))}
      {missed.map((metric) => (
        <MissedMeasure key={metric.name} metric={metric} />
      ))}
      <details>
        <summary className="muted small">{TEST_STRINGS.answer}</summary>
        <FoldedText text={answerText(turn)} />
      </details>
    </div>
  );
}

function MissedExpectation({ failure }: { failure: Failure }) {
  const { expectation, expected, happened, error } = failure;
  return (
    <div className="test-failure">
      <strong>{expectation}</strong>
      <dl className="facts">
        <dt>{TEST_STRINGS.expected}</dt>
        <dd>{expected}</dd>
        <dt>{error ? TEST_STRINGS.unknown : TEST_STRINGS.happened}</dt>
        <dd>{happened}</dd>
      </dl>
    </div>
  );
}

function MissedMeasure({ metric }: { metric: MetricScore }) {
  const { name, score, threshold, reason, error } = metric;
  const happened = score === undefined ? (error ?? TEST_STRINGS.unmeasured) : TEST_STRINGS.score(score, threshold);
  return (
    <div className="test-failure">
      <strong>{name}</strong>
      <p>{[happened, reason].filter(Boolean).join(' · ')}</p>
    </div>
  );
}

function answerText({ content, tools }: TurnReport): string {
  const calls = tools.map(({ name, arguments: args, state }) => `${name}(${JSON.stringify(args)}) ${state}`);
  return [...calls, content || TEST_STRINGS.noAnswer].join('\n');
}
