import pc from 'picocolors';
import packageJson from '../../package.json' with { type: 'json' };
import type { Opened } from './open-agent.ts';

/** The first screen: who answers, with what, where it is kept, and what to try. */
export function welcome({ runtime, agents, folder, isShipped }: Opened): string {
  const agent = agents[0];
  if (!agent) return '';
  const version = packageJson.version.split('.').slice(0, 2).join('.');
  const isBuiltin = agent.model.provider === 'builtin';
  const engine = isBuiltin ? 'built-in, no key needed' : runtime.describe(agent.name).model;
  const letters = agent.starters.slice(0, 3).map((starter, index) => `${pc.bold('abc'[index] ?? '')}  ${starter}`);
  return [
    `${pc.bold(`HoloDeck ${version}`)}  ·  ${agent.name}${isShipped ? ' (ships with HoloDeck)' : ''}`,
    `${pc.dim('engine ')}  ${engine}`,
    `${pc.dim('kept in')}  ${folder}`,
    ...(letters.length > 0 ? [`${pc.dim('try    ')}  ${letters.join('   ')}`] : []),
    '',
  ].join('\n');
}
