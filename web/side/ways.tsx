import { Code } from '../markdown/code.tsx';
import { PANEL_STRINGS } from '../panel-strings.ts';
import { usePage } from '../state/context.ts';
import { currentAgent } from '../state/page-state.ts';
import { describeWays } from './describe-ways.ts';

/** This very conversation by other ways: HTTP, AG-UI and the terminal. */
export default function WaysPanel() {
  const id = usePage(({ conversation }) => conversation.id);
  const agent = usePage(currentAgent)?.name ?? '';
  const needsToken = usePage(({ me }) => me?.auth === 'token');
  const ways = describeWays({ origin: window.location.origin, agent, needsToken, ...(id && { conversation: id }) });
  return (
    <div className="row-panel">
      <p className="muted">{id ? PANEL_STRINGS.ways.same : PANEL_STRINGS.ways.first}</p>
      {ways.map(({ label, text }) => (
        <Code key={label} text={text} language={label} />
      ))}
    </div>
  );
}
