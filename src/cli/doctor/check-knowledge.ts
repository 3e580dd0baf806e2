import { peekStatus } from '../../knowledge/index/read-status.ts';
import { indexPath } from '../../knowledge/open-knowledge.ts';
import type { Agent } from '../../schema/agent.ts';
import { commandText } from '../called-as.ts';
import { type Finding, ok, warning } from './finding.ts';

/** When the documents of an agent were read, and how many could not be. */
export function checkKnowledge(agent: Agent, data: string, file: string): Finding[] {
  return Object.keys(agent.knowledge ?? {}).map((name) => {
    const status = peekStatus(indexPath(data, agent.name, name));
    if (!status) return warning('knowledge', `${name} is not built yet`, commandText(['knowledge', 'build', file]));
    const unread = status.documents.filter(({ state }) => state === 'unread').length;
    const text = `${name}: ${status.documents.length} documents, read ${status.builtAt?.slice(0, 16)}Z`;
    if (unread === 0) return ok('knowledge', text);
    return warning('knowledge', `${text}, ${unread} unread`, `${commandText(['knowledge', 'status', file])} shows why`);
  });
}
