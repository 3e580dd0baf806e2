import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALICE } from './build.ts';
import { COMMAND } from './command.ts';
import { type LoginServer, startLoginServer } from './fakes/login-server.ts';

describe('holodeck mcp login', () => {
  let folder: string;
  let login: LoginServer;
  beforeEach(async () => {
    login = await startLoginServer();
    folder = mkdtempSync(join(tmpdir(), 'holodeck-login-'));
    const mail = { name: 'mail', type: 'mcp', transport: 'http', url: login.url, auth: 'oauth' };
    writeFileSync(join(folder, 'agent.yaml'), JSON.stringify({ name: 'shop', instructions: 'Help.', tools: [mail] }));
  });
  afterEach(async () => {
    await login.close();
    rmSync(folder, { recursive: true });
  });

  function start(...args: string[]) {
    const child = spawn(process.execPath, [COMMAND, ...args, '--data', join(folder, 'data')], { cwd: folder });
    const printed: string[] = [];
    const address = Promise.withResolvers<string>();
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        printed.push(String(data));
        const found = /^http\S+authorize\S+/m.exec(printed.join(''));
        if (found) address.resolve(found[0]);
      });
    }
    const ended = once(child, 'close').then(([code]) => ({ code, text: printed.join('') }));
    return { address: address.promise, ended };
  }

  const run = (...args: string[]) => start(...args).ended;

  async function logIn(...args: string[]) {
    const child = start('mcp', 'login', 'mail', 'agent.yaml', ...args);
    const back = await login.visit(await child.address, 'alice');
    const page = await fetch(back);
    return { page: [page.status, await page.text()], ...(await child.ended) };
  }

  it('stores a login that turns use, and prints and stores no token', { timeout: 120_000 }, async () => {
    const { page, code, text } = await logIn();
    expect([page, code]).toEqual([[200, 'You are logged in. You can close this page.'], 0]);
    expect(text).toContain('You are logged in to mail.');
    const asked = await run('run', 'agent.yaml', 'whoami', '--json');
    expect(asked.text).not.toContain('needs a login');
    const files = readdirSync(join(folder, 'data'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const contents = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    expect(login.secrets.length).toBeGreaterThan(3);
    for (const secret of login.secrets) {
      expect([text, asked.text, ...contents].filter((content) => content.includes(secret))).toEqual([]);
    }
    expect(await run('mcp', 'logout', 'mail', 'agent.yaml')).toMatchObject({
      code: 0,
      text: expect.stringContaining('revoked'),
    });
    expect((await run('run', 'agent.yaml', 'whoami')).text).toContain('mail needs a login');
  });

  it('refuses an answer with a foreign state, and a server without logins', { timeout: 60_000 }, async () => {
    login.rules.callback = { state: 'foreign' };
    const { page, code } = await logIn();
    expect([page[0], code]).toEqual([400, 2]);
    expect(await run('mcp', 'login', 'files', 'agent.yaml')).toMatchObject({
      code: 1,
      text: expect.stringContaining('It has: mail.'),
    });
  });

  it('is revoked when its user is erased', { timeout: 60_000 }, async () => {
    await logIn('--user', ALICE.id);
    expect((await run('db', 'erase-user', ALICE.id, 'agent.yaml')).text).toContain(
      '1 logins to MCP servers were ended.',
    );
    expect(login.forms.filter((form) => form.has('token'))).toHaveLength(2);
  });
});
