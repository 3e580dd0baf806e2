import type { Finding } from '../../yaml/problem.ts';
import type { Space } from '../load/load-space.ts';
import type { LoadedTable } from '../load/load-tables.ts';
import type { TrustedQuestion } from '../load/space-file.ts';
import type { SqlRunner } from '../sql/sql-runner.ts';

/** SQL is only prepared, which reads no row; the bound is for a loaded machine. */
const PREPARE_MS = 20_000;

/** Prepares the SQL of every trusted question over the space's own tables, and finds names that do not exist. */
export async function checkQuestions({ file }: Space, runner: SqlRunner): Promise<Finding[]> {
  const tables = await runner.load();
  const findings: Finding[] = [];
  for (const [index, question] of file.questions.entries()) {
    const path = ['questions', index] as const;
    findings.push(...findUnknownColumns(question, tables).map((finding) => at(path, finding)));
    const described = await runner.describe(question.sql, PREPARE_MS);
    if ('failure' in described) findings.push({ path: [...path, 'sql'], message: described.reason });
    else findings.push(...findUnknownFields(question, described.columns).map((finding) => at(path, finding)));
  }
  return findings;
}

function at(path: Finding['path'], finding: Finding): Finding {
  return { ...finding, path: [...path, ...finding.path] };
}

/** Names of columns have no case in SQL. The table itself is checked when the file is read. */
function findUnknownColumns({ parameters }: TrustedQuestion, tables: readonly LoadedTable[]): Finding[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => {
    if (parameter.type !== 'value') return [];
    const [table, column] = parameter.column.split('.');
    const columns = tables.find((loaded) => loaded.name === table)?.columns ?? [];
    if (columns.some((known) => known.name.toLowerCase() === column?.toLowerCase())) return [];
    return [{ path: ['parameters', name, 'column'], message: `table ${table} has no column ${column}` }];
  });
}

function findUnknownFields(question: TrustedQuestion, columns: readonly string[]): Finding[] {
  const known = [...new Set([...columns, ...Object.keys(question.parameters), 'rows'])];
  return (['answer', 'one'] as const).flatMap((key) => {
    const used = [...(question[key] ?? '').matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
    const unknown = [...new Set(used)].filter((name) => !known.includes(name));
    return unknown.map((name) => ({
      path: [key],
      message: `{${name}} is no column of the result and no parameter; there are ${known.join(', ')}`,
    }));
  });
}
