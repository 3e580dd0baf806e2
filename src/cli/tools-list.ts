import type { Runtime } from '../runtime/runtime.ts';
import type { User } from '../schema/user.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import { terminalColors as pc } from './terminal/colors.ts';

interface Shown {
  runtime: Runtime;
  user: User;
  agent: string;
}

/** Time for a server that is still starting. */
const LIST_MS = 5_000;

/** `/tools`: lists every source with its state and tools, and refused tools; `accept` approves changed definitions. */
export async function showTools({ runtime, user, agent }: Shown, isAccepted: boolean): Promise<string> {
  const list = () => runtime.listTools(user, agent, { signal: AbortSignal.timeout(LIST_MS) });
  if (isAccepted) {
    await list();
    await runtime.acceptTools(agent);
  }
  const { refusals } = await list();
  const { sources } = runtime.describe(agent);
  if (sources.length === 0) return 'This agent has no tools.\n';
  const lines = sources.flatMap(({ name, state, detail, tools }) => [
    `  ${pc.bold(sanitizeText(name))}  ${state}${detail ? `  ${sanitizeText(detail)}` : ''}`,
    ...tools.map((tool) => `    ${sanitizeText(tool.name)}  ${pc.dim(sanitizeText(firstLine(tool.description)))}`),
  ]);
  const refused = refusals.map(({ tool, source, reason }) =>
    pc.yellow(`  ${sanitizeText(tool)} of ${sanitizeText(source)} is not offered: ${sanitizeText(reason)}`),
  );
  return `${[...lines, ...refused].join('\n')}\n`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
