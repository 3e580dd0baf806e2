import { readFile } from 'node:fs/promises';
import type { Agent } from '../schema/agent.ts';
import { loadSpace } from '../space/load-space.ts';
import { readTable } from '../space/read-table.ts';

/** Faults in the files of an agent's spaces, and remarks about how they are read. */
export async function checkSpaces(agent: Agent): Promise<{ problems: string[]; warnings: string[] }> {
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const entry of agent.tools) {
    if (entry.type !== 'mcp' || entry.transport !== 'builtin' || entry.server !== 'space') continue;
    try {
      const { tables } = await loadSpace(entry.file ?? '', { root: agent.folder });
      for (const table of tables) {
        const { notes } = await readTable(table, await readFile(table.path));
        warnings.push(...notes.map(({ text }) => `tools.${entry.name}: ${text}`));
      }
    } catch (error) {
      problems.push(`tools.${entry.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { problems, warnings };
}
