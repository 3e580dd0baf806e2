/** HoloDeck as users run it, with a temporary data folder. */

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moreTools } from './tool-list.mjs';

module.enableCompileCache?.();
const data = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
process.on('exit', () => rmSync(data, { recursive: true, force: true }));
const given = join(import.meta.dirname, 'agent', process.env.BENCH_AGENT ?? 'agent.yaml');
const { BENCH_TOOLS, BENCH_TEAM } = process.env;
const agent = BENCH_TOOLS || BENCH_TEAM ? changed(Number(BENCH_TOOLS ?? 0)) : given;
process.argv.splice(2, Number.POSITIVE_INFINITY, 'serve', agent, '-p', String(process.env.PORT), '--data', data);
const bundle = join(import.meta.dirname, '../dist/main.js');
const isBuilt = process.env.BENCH_SOURCE === undefined && existsSync(bundle);
await import(isBuilt ? bundle : '../bin/holodeck.js');

/** The same agent in its own folder, with more functions, bound to the user, or with a member. */
function changed(count) {
  const folder = join(data, 'agent');
  cpSync(join(import.meta.dirname, 'agent'), folder, { recursive: true });
  const about = { type: 'function', file: 'work.mjs', bind: { user_id: '$user.id' } };
  const entries = moreTools(count).map((tool) => `  - ${JSON.stringify({ ...tool, ...about })}\n`);
  const team = BENCH_TEAM ? 'agents: { clerk: { instructions: Do the work. } }\nsub_agents: [clerk]\n' : '';
  const file = join(folder, 'agent.yaml');
  writeFileSync(file, readFileSync(given, 'utf8').replace('tools:\n', `${team}tools:\n${entries.join('')}`));
  return file;
}
