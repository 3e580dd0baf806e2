import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/server/openapi.ts';
import { operations } from '../../src/server/operations.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer } from './server.ts';

const REDOCLY = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');

describe('openapi.json', () => {
  it('is linted clean', async () => {
    const path = join(temporaryFolder(), 'openapi.json');
    writeFileSync(path, JSON.stringify(openApiDocument()));
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stderr } = await promisify(execFile)(process.execPath, [REDOCLY, 'lint', path], { env });
    expect(stderr).toContain('Your API description is valid');
    expect(stderr).not.toMatch(/warning/i);
  });

  it('tells of every route that there is, and of no other', async () => {
    const { app } = await openServer({ replies: [] });
    const served = app.routes.map(({ method, route }) => `${method} ${route}`);
    const told = operations.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
    expect(served.toSorted()).toEqual(told.toSorted());
  });
});

describe('/docs', () => {
  it('needs nothing from outside, and runs nothing', async () => {
    const { call } = await openServer({ replies: [] });
    const response = await call('GET /docs', { as: 'nobody' });
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain('/agent/{name}/chat/stream');
    expect(html.match(/(src|href)="[^"#/][^"]*"|<script|@import|url\(/g)).toBeNull();
  });
});
