import { agentJsonSchema } from '../../config/json-schema.ts';
import { readAgent } from '../../config/load-agent.ts';
import { formatProblem } from '../../config/problem.ts';
import { AppError } from '../../errors.ts';
import { openTokenCheck } from '../../server/open-token-check.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { checkNames } from '../check-names.ts';
import { findToolProblems } from '../check-tools.ts';

/** `holodeck check`: says that a file is good, or throws everything that is wrong with it. */
export async function runCheck(file: string): Promise<void> {
  const warn = (text: string) => process.stderr.write(`warning: ${sanitizeText(text)}\n`);
  const { agent, hints, locate } = await readAgent(file, { onWarning: warn });
  for (const hint of hints) process.stderr.write(`hint: ${sanitizeText(formatProblem(hint))}\n`);
  const names = await checkNames(agent);
  for (const doubt of names.warnings) warn(formatProblem(locate(doubt)));
  const problems = [
    ...names.problems.map((problem) => formatProblem(locate(problem))),
    ...(await findToolProblems(agent)),
  ];
  if (problems.length > 0) throw new AppError('config_invalid', { detail: problems.join('\n') });
  await openTokenCheck(agent.server, warn);
  const tools = agent.tools.map((tool) => tool.name).join(', ') || 'none';
  const text = `${file} is good: ${agent.name}, model ${agent.model.provider}, tools ${tools}`;
  process.stdout.write(`${sanitizeText(text)}\n`);
}

/** `holodeck schema`: for editors that complete and check agent.yaml. */
export function printSchema(): void {
  process.stdout.write(`${JSON.stringify(agentJsonSchema(), null, 2)}\n`);
}
