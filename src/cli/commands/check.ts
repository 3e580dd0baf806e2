import { agentJsonSchema } from '../../config/json-schema.ts';
import { loadAgent } from '../../config/load-agent.ts';
import { AppError } from '../../errors.ts';
import { openTokenCheck } from '../../server/open-token-check.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { findToolProblems } from '../check-tools.ts';

/** `holodeck check`: says that a file is good, or throws everything that is wrong with it. */
export async function runCheck(file: string): Promise<void> {
  const warn = (text: string) => process.stderr.write(`warning: ${sanitizeText(text)}\n`);
  const hint = (text: string) => process.stderr.write(`hint: ${sanitizeText(text)}\n`);
  const agent = await loadAgent(file, { onWarning: warn, onHint: hint });
  const problems = await findToolProblems(agent);
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
