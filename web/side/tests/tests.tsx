import './tests.css';
import { usePage } from '../../state/context.ts';
import { currentAgent } from '../../state/page-state.ts';
import { RunList } from './run-list.tsx';
import { RunView } from './run-view.tsx';

/** The stored runs of the agent's test cases, or the run that the address names. */
export default function TestsPanel({ at }: { at: string | undefined }) {
  const agent = usePage(currentAgent)?.name;
  if (agent === undefined) return null;
  const path = `/agent/${encodeURIComponent(agent)}/runs`;
  return at ? <RunView key={at} path={path} id={at} /> : <RunList path={path} agent={agent} />;
}
