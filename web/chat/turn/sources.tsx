import { useActions } from '../../state/context.ts';
import { answerOf, type Turn } from '../../state/turn.ts';
import { describeSource } from './footnote.tsx';

const LABEL = 'Cited passages';
const UNSUPPORTED = 'Not supported by the cited passages:';

/** The cited passages by name, and the sentences that they do not support. */
export default function Sources({ turn }: { turn: Turn }) {
  const actions = useActions();
  const message = answerOf(turn)?.id;
  const { citations = [] } = turn.facts;
  const unsupported = turn.statements.filter(({ found }) => !found);
  return (
    <>
      {citations.length > 0 && (
        <ul className="sources" aria-label={LABEL}>
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
            <strong>{UNSUPPORTED}</strong>
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
