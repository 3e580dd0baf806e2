import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../runtime.ts';

const HOLODECK = join(import.meta.dirname, '../../bin/holodeck.js');

function check(yaml: string, files: Record<string, string> = {}) {
  return checkWhole(`name: one\ninstructions: Help.\n${yaml}`, files);
}

function checkWhole(yaml: string, files: Record<string, string> = {}) {
  const cwd = temporaryFolder();
  const all = { 'agent.yaml': yaml, ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(cwd, name), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [HOLODECK, 'check', 'agent.yaml'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', SECRET: 'short' },
  });
  return { status, stdout, stderr };
}

const GOOD = 'agent.yaml is good: one, model builtin, tools none\n';
const auth = (key: string) => `server: { auth: { jwt: { ${key}, issuer: me, audience: you } } }\n`;

describe('holodeck check', () => {
  it('refuses a database as run does', () => {
    const { status, stdout, stderr } = check('database: postgres://db.example.com/holodeck\n');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('agent.yaml:3:11 database: another store than SQLite');
  });

  it('warns of a secret that can be guessed as serve does', () => {
    const stderr = 'warning: server.auth.jwt.secret is shorter than 32 bytes and can be guessed\n';
    expect(check(auth(`secret: "\${SECRET}"`))).toEqual({ status: 0, stdout: GOOD, stderr });
  });

  it('refuses keys that serve cannot read', () => {
    const { status, stderr } = check(auth('jwks_file: keys.json'), { 'keys.json': '[]' });
    expect(status).toBe(1);
    expect(stderr).toContain('does not hold a JSON Web Key Set');
  });

  it('gives a hint where no guideline asks for brevity, and finds the file good', () => {
    const agent = (line: string) =>
      `name: one\ninstructions:\n  role: Poet\n  guidelines:\n    - ${line}\n  tools: None\n`;
    const { status, stdout, stderr } = checkWhole(agent('Take your time'));
    expect({ status, stdout }).toEqual({ status: 0, stdout: GOOD });
    expect(stderr).toMatch(/^hint: agent\.yaml:5:5 instructions\.guidelines: no line asks for brevity; .+\n$/);
    expect(checkWhole(agent('Keep it under 200 words'))).toEqual({ status: 0, stdout: GOOD, stderr: '' });
  });
});
