import { useActions } from '../../state/context.ts';
import { answerOf, type Turn } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';
import { describeSource } from './footnote.tsx';

/** The cited passages by name, and the sentences that they do not support. */
export function Sources({ turn }: { turn: Turn }) {
  const actions = useActions();
  const message = answerOf(turn)?.id;
  const { citations = [] } = turn.facts;
  const unsupported = turn.statements.filter(({ found }) => !found);
  return (
    <>
      {citations.length > 0 && (
        <ul className="sources" aria-label={STRINGS.source.label}>
          {citations.map((citation) => (
            <li key={citation.id}>
              <button
                type="button"
                className="quiet"
                onClick={() => actions.showSide('documents', `${message}.${citation.id}`)}
              >
                {citation.id.slice(1)} · {describeSource(citation)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {unsupported.length > 0 && (
        <div className="problem mild">
          <div className="grow">
            <strong>{STRINGS.source.unsupported}</strong>
            <ul className="plain-list">
              {unsupported.map(({ text, start, reason }) => (
                <li key={start}>{reason ? `${text} (${reason})` : text}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </>
  );
}
