import type { ResultFacts } from '../../api/shapes.ts';
import { Icon } from '../../parts/icon.tsx';
import { answerOf, type Turn } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';

/** How sure an answer is, and why; and the sources that did not answer, unless the answer itself says so. */
export function Verdict({ turn }: { turn: Turn }) {
  const { confidence, error_details = [], warning } = turn.facts;
  const gaps = untoldGaps(error_details, answerOf(turn)?.text ?? '');
  const reasons = reasonsOf(turn);
  const isShown = confidence !== undefined || reasons.length > 0;
  return (
    <>
      {isShown && (
        <p className={`verdict ${confidence ?? ''}`}>
          <span className="verdict-dot" aria-hidden="true" />
          {[...(confidence ? [STRINGS.confidence[confidence]] : []), ...reasons].join(' · ')}
        </p>
      )}
      {gaps.length > 0 && (
        <div className="problem mild">
          <Icon name="alert" />
          <div className="grow">
            <strong>{gaps.some(({ domain }) => domain) ? STRINGS.turn.partial : STRINGS.turn.failedTools}</strong>
            <ul className="plain-list">
              {gaps.map(({ domain, tool, reason }) => (
                <li key={`${domain}.${tool}.${reason}`}>{[domain ?? tool, reason].filter(Boolean).join(': ')}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {warning && <p className="note">{warning}</p>}
    </>
  );
}

function reasonsOf({ routing, calls, checks, statements }: Turn): string[] {
  const asked = routing?.identified_domains ?? [];
  const answered = asked.filter((domain) =>
    Object.values(calls).some((call) => call.domain === domain && call.state === 'completed'),
  );
  const found = checks.filter((check) => check.found).length;
  return [
    ...(asked.length > 0 ? [STRINGS.confidence.domains(answered.length, asked.length)] : []),
    ...(statements.length > 0
      ? [STRINGS.confidence.statements(statements.filter((one) => one.found).length, statements.length)]
      : []),
    ...(checks.length > 0 ? [STRINGS.confidence.figures(found, checks.length)] : []),
  ];
}

type Gap = NonNullable<ResultFacts['error_details']>[number];

/** The failures whose reason the answer does not give in the same words. A domain must be named there, too. */
export function untoldGaps(gaps: readonly Gap[], answer: string): Gap[] {
  const told = plain(answer);
  const isTold = (text: string | undefined) => text !== undefined && plain(text) !== '' && told.includes(plain(text));
  return gaps.filter(({ domain, reason }) => !(isTold(reason) && (domain === undefined || isTold(domain))));
}

/** Words only: Markdown and a final stop do not make another reason. */
function plain(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}
