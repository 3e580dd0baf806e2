import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Agent } from '../schema/agent.ts';
import { readSpace } from '../space/load/load-space.ts';
import { createSqlRunner } from '../space/sql/sql-runner.ts';
import { checkQuestions } from '../space/trusted/check-questions.ts';

/** Faults in the files of an agent's spaces, and notes on how the files are read. */
export async function checkSpaces(agent: Agent): Promise<{ problems: string[]; warnings: string[] }> {
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const entry of agent.tools) {
    if (entry.type !== 'mcp' || entry.transport !== 'builtin' || entry.server !== 'space') continue;
    try {
      const notes = await checkSpace(entry.file ?? '', agent.folder);
      warnings.push(...notes.map((text) => `tools.${entry.name}: ${text}`));
    } catch (error) {
      problems.push(`tools.${entry.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { problems, warnings };
}

/** Loads a space into a temporary database. Returns notes on its files; throws its faults. */
async function checkSpace(path: string, root: string): Promise<string[]> {
  const { space, refuse } = await readSpace(path, { root });
  const folder = await mkdtemp(join(tmpdir(), 'holodeck-check-'));
  const runner = createSqlRunner({ space: space.file.name, folder, files: space.tables, clock: systemClock });
  try {
    const findings = await checkQuestions(space, runner);
    if (findings.length > 0) throw refuse(findings);
    return (await runner.load()).flatMap(({ notes }) => notes.map(({ text }) => text));
  } finally {
    runner.close();
    await rm(folder, { recursive: true, force: true });
  }
}
