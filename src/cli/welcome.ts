import { homedir } from 'node:os';
import packageJson from '../../package.json' with { type: 'json' };
import type { Agent } from '../schema/agent.ts';
import { keyVariables, type Provider } from '../schema/provider.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import type { Opened } from './open-agent.ts';
import { choiceSpans, labelled } from './render/result-rows.ts';
import { terminalColors as colors } from './terminal/colors.ts';

/** The first screen: agent, model, data folder, and examples to try. */
export function welcome({ runtime, folder, isShipped }: Opened, agent: Agent, width: number): string {
  const version = packageJson.version.split('.').slice(0, 2).join('.');
  const line = (name: string, text: string) => labelled(name, [{ text }], { colors, width });
  const tries = choiceSpans(agent.starters.slice(0, 3), colors);
  return [
    `${colors.bold(`HoloDeck ${version}`)}  ·  ${sanitizeText(agent.name)}${isShipped ? ' (ships with HoloDeck)' : ''}`,
    ...line('model  ', engineText(agent, runtime.describe(agent.name).model)),
    ...line('data   ', shortPath(folder)),
    ...(tries.length > 0 ? labelled('try    ', tries, { colors, width }) : []),
    ...line('help   ', '/help lists the commands'),
  ].join('\n');
}

function engineText({ model }: Agent, label: string): string {
  if (model.provider !== 'builtin') return sanitizeText(label);
  const hasKey = (provider: Provider) => keyVariables({ provider }).some((name) => process.env[name]);
  const advice = hasKey('google')
    ? 'LLM: pass --model google/gemini-2.5-flash'
    : hasKey('openai')
      ? 'LLM: pass --model openai/<model>'
      : 'LLM: set GEMINI_API_KEY or OPENAI_API_KEY, pass --model';
  return `built-in, no API key needed  ·  ${advice}`;
}

function shortPath(path: string): string {
  const home = homedir();
  return sanitizeText(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}
