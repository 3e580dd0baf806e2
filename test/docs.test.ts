import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAgent } from '../src/config/load-agent.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');
const ENV = { GEMINI_API_KEY: 'key', REMOTE_TOKEN: 'token' };

/** The fenced blocks of a page that are agent files. */
function agentFiles(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => String(match[1]));
}

describe('pages that show an agent.yaml', () => {
  const shown = ['README.md', 'docs/agent-yaml.md'].flatMap((page) => agentFiles(page).map((yaml) => ({ page, yaml })));

  it('show at least two', () => {
    expect(shown.length).toBeGreaterThanOrEqual(2);
  });

  it.each(shown)('show one that loads ($page)', async ({ yaml }) => {
    const folder = join(temporaryFolder(), 'agent');
    mkdirSync(folder);
    writeFileSync(join(folder, 'agent.yaml'), yaml);
    writeFileSync(join(folder, 'price.ts'), 'export default () => 42;\n');
    const agent = await loadAgent(join(folder, 'agent.yaml'), { env: ENV, cwd: folder });
    expect(agent.name).toBeTruthy();
  });
});
