import pc from 'picocolors';
import type { Runtime } from '../runtime/runtime.ts';
import { sanitizeText } from '../tools/sanitize.ts';

/** `/tools`: every source with its state and its tools; `/tools accept` takes changed definitions over. */
export function showTools(runtime: Runtime, agent: string, isAccepted: boolean): string {
  if (isAccepted) runtime.acceptTools(agent);
  const { sources } = runtime.describe(agent);
  if (sources.length === 0) return 'This agent has no tools.\n';
  const lines = sources.flatMap(({ name, state, detail, tools }) => [
    `  ${pc.bold(sanitizeText(name))}  ${state}${detail ? `  ${sanitizeText(detail)}` : ''}`,
    ...tools.map((tool) => `    ${sanitizeText(tool.name)}  ${pc.dim(sanitizeText(firstLine(tool.description)))}`),
  ]);
  return `${lines.join('\n')}\n`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
