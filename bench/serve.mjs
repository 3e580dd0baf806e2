/** HoloDeck as users get it, with a data folder of its own that goes with it. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

module.enableCompileCache?.();
const data = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
process.on('exit', () => rmSync(data, { recursive: true, force: true }));
const agent = join(import.meta.dirname, 'agent', process.env.BENCH_AGENT ?? 'agent.yaml');
process.argv.splice(2, Number.POSITIVE_INFINITY, 'serve', agent, '-p', String(process.env.PORT), '--data', data);
const bundle = join(import.meta.dirname, '../dist/main.js');
const isBuilt = process.env.BENCH_SOURCE === undefined && existsSync(bundle);
await import(isBuilt ? bundle : '../bin/holodeck.js');
