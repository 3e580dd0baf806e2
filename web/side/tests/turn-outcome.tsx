import type { Failure, MetricScore, TurnReport } from '../../../src/schema/tests/run-report.ts';
import { FoldedText } from '../../parts/folded-text.tsx';
import { TEST_STRINGS } from './test-strings.ts';

/** A message of a case with everything that was expected and did not happen. */
export function TurnOutcome({ turn, label }: { turn: TurnReport; label: string }) {
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
