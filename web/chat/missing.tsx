import { useActions, usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';

/** A conversation that is not there, or that could not be read. */
export function Missing() {
  const actions = useActions();
  const { state, problem, id } = usePage(({ conversation }) => conversation);
  const isMissing = state === 'missing';
  return (
    <div className="empty">
      <div className="empty-inner">
        <h2>{isMissing ? STRINGS.log.missing : STRINGS.log.failed}</h2>
        <p className="lead">{isMissing ? STRINGS.log.missingDetail : problem}</p>
        <p>
          {!isMissing && id && (
            <button type="button" onClick={() => actions.openConversation(id)}>
              {STRINGS.log.again}
            </button>
          )}
          <button type="button" className="primary" onClick={() => actions.newConversation()}>
            {STRINGS.list.create}
          </button>
        </p>
      </div>
    </div>
  );
}
