import type { Finding } from '../../yaml/problem.ts';
import type { Space } from '../load/load-space.ts';
import type { SqlRunner } from '../sql/sql-runner.ts';

/** SQL is only prepared, which reads no row; the bound is for a loaded machine. */
const PREPARE_MS = 20_000;

/** Prepares the SQL of every trusted question over the space's own tables, and finds names that do not exist. */
export async function checkQuestions({ file }: Space, runner: SqlRunner): Promise<Finding[]> {
  // A fault of a file is reported once, not at every question.
  await runner.load();
  const findings: Finding[] = [];
  for (const [index, { sql, answer }] of file.questions.entries()) {
    const described = await runner.describe(sql, PREPARE_MS);
    if ('failure' in described) {
      findings.push({ path: ['questions', index, 'sql'], message: described.reason });
      continue;
    }
    const known = [...described.columns, 'rows'];
    const used = [...answer.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
    for (const name of new Set(used))
      if (!known.includes(name))
        findings.push({
          path: ['questions', index, 'answer'],
          message: `{${name}} is no column of the result; there are ${known.join(', ')}`,
        });
  }
  return findings;
}
