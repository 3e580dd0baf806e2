import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAgent } from '../src/config/load-agent.ts';
import { EventBody } from '../src/schema/conversation/event.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');
const ENV = { FREIGHT_TOKEN: 'token', GEMINI_API_KEY: 'key', REMOTE_TOKEN: 'token', SHOP_KEY: 'key' };

/** The fenced blocks of a page that are agent files. */
function agentFiles(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/```yaml[^\n]*\n([\s\S]*?)```/g)].map((match) => String(match[1]));
}

describe('pages that show an agent.yaml', () => {
  const shown = ['README.md', 'docs/guides/agent-file.md', 'docs/guides/teams.md'].flatMap((page) =>
    agentFiles(page).map((yaml) => ({ page, yaml })),
  );

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

describe('the pages of the library', () => {
  it('have a section for each exported name, and one for each event', async () => {
    const headings = (page: string) => readFileSync(join(ROOT, page), 'utf8').match(/(?<=^## ).+$/gm) ?? [];
    const index = readFileSync(join(ROOT, 'src/index.ts'), 'utf8');
    const blocks = [...index.matchAll(/\{([^}]*)\}/g)].map((match) => String(match[1]));
    const names = blocks.flatMap((block) => block.split(',').map((name) => name.replace('type ', '').trim()));
    const exported = names.filter((name) => name !== '');
    expect(exported).toEqual(expect.arrayContaining(Object.keys(await import('../src/index.ts'))));
    expect(headings('docs/reference/library.md').toSorted()).toEqual(exported.toSorted());
    const types = EventBody.unwrap().options.map(({ shape }) => shape.type.value);
    expect(headings('docs/reference/events.md')).toEqual([...types, 'Shapes']);
  });
});

it('the page on clients names versions that tests use', () => {
  const files = globSync(['package.json', 'test/clients/*/package.json', 'examples/copilotkit/package.json'], {
    cwd: ROOT,
  });
  const used = files.flatMap((file) => {
    const { dependencies, devDependencies = {} } = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
    return Object.entries<string>({ ...dependencies, ...devDependencies }).map(
      ([name, version]) => `${/^npm:(.*)@/.exec(version)?.[1] ?? name} ${version.replace(/^npm:.*@/, '')}`,
    );
  });
  const page = readFileSync(join(ROOT, 'docs/guides/clients.md'), 'utf8');
  const rows = [...page.matchAll(/`(@?[a-z][\w/-]*)` (\d+\.\d+\.\d+(?:, \d+\.\d+\.\d+)*)/g)];
  const named = rows.flatMap(([, name, versions = '']) => versions.split(', ').map((version) => `${name} ${version}`));
  expect(named.filter((client) => !used.includes(client))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});

it('the page on your own app shows the chat of the example', () => {
  const page = readFileSync(join(ROOT, 'docs/guides/your-own-app.md'), 'utf8');
  expect(page).toContain(readFileSync(join(ROOT, 'examples/next/app/page.jsx'), 'utf8'));
});

it('the page on your own app reads whole ids of users from the cookie', async () => {
  const page = readFileSync(join(ROOT, 'docs/guides/your-own-app.md'), 'utf8');
  const [code = ''] = /export function readUser[\s\S]*?\n}\n/.exec(page) ?? [];
  const script = encodeURIComponent(stripTypeScriptTypes(code));
  const { readUser } = await import(`data:text/javascript,${script}`);
  const cookies = ['a=b; session=anna%40example.com', 'session=anna@other.com; a=b', 'other_session=anna', undefined];
  expect(cookies.map(readUser)).toEqual(['anna@example.com', 'anna@other.com', undefined, undefined]);
  expect(page.match(/readUser\((?:request\.)?headers/g)).toHaveLength(4);
});

describe('the page on security', () => {
  const page = readFileSync(join(ROOT, 'docs/guides/security.md'), 'utf8');
  const named = [...new Set([...page.matchAll(/`((?:src|test)\/[^`\s]+)`/g)].map((match) => String(match[1])))];
  const sections = page.split(/\n## /).slice(1);

  it('names tests that exist', () => {
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !path.endsWith('.test.ts') || !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names a test and the limits of each promise', () => {
    const rows = sections.flatMap((section) => section.split('\n').filter((line) => /^\| (?!promised)/.test(line)));
    expect(rows.filter((row) => !/`(?:src|test)\/\S+\.test\.ts` \|$/.test(row))).toEqual([]);
    expect(sections.filter((section) => !section.includes('Not promised:'))).toEqual([]);
  });

  it.each(['README.md', 'docs/guides/http.md'])('is linked from %s', (from) => {
    expect(readFileSync(join(ROOT, from), 'utf8')).toMatch(/\]\((?:docs\/guides\/)?security\.md\)/);
  });
});

describe('the README on use in a program', () => {
  const [, section = ''] =
    /\n## In your program\n([\s\S]*?)\n## /.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(section) ?? [];
  const [, flag = '', file = ''] = /```\nnpx node (\S+) (\S+)\n```/.exec(section) ?? [];
  const run = (args: string[], cwd: string) => spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });

  it('gives a command that works in a checkout', () => {
    const { status, stderr } = run([flag, file], ROOT);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('shows lines that run the same way', () => {
    const folder = temporaryFolder();
    const files = {
      'main.ts': code,
      'package.json': '{"type":"module"}',
      'agent.yaml': 'name: a\ninstructions: Help.\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules', 'holodeck'));
    const { status, stdout, stderr } = run([flag, 'main.ts'], folder);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toBe('');
  });
});
