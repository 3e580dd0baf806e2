import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/server/openapi/openapi.ts';
import { operations } from '../../src/server/openapi/operations.ts';
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

  it('lists every route, and no other', async () => {
    const { app } = await openServer({ replies: [] });
    const served = app.routes.map(({ method, route }) => `${method} ${route}`);
    const told = operations.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
    expect(served.toSorted()).toEqual(told.toSorted());
  });
});

describe('/docs', () => {
  it('loads its own two files and nothing from outside', async () => {
    const { call } = await openServer({ replies: [] });
    const response = await call('GET /docs', { as: 'nobody' });
    const html = await response.text();
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(html).toContain('/agent/{name}/chat/stream');
    expect(html.match(/<(script|link)[^>]*>/g)).toEqual([
      '<link rel="stylesheet" href="/docs/style.css">',
      '<script type="module" src="/docs/script.js">',
    ]);
    expect(html.match(/(src|href)="[^"#/][^"]*"|@import|url\(| on\w+=| style=/g)).toBeNull();
    for (const file of ['script.js', 'style.css']) {
      const text = await (await call(`GET /docs/${file}`, { as: 'nobody' })).text();
      expect(text.match(/https?:|innerHTML|eval|import\(|url\(/g)).toBeNull();
    }
  });

  it('has an example for every route, and a form for every route but DELETE', async () => {
    const { call } = await openServer({ replies: [] });
    const html = await (await call('GET /docs')).text();
    const forms = [...html.matchAll(/<form data-method="(\w+)" data-path="([^"]+)"/g)];
    const told = operations.filter(({ method }) => method !== 'DELETE');
    expect(forms.map(([, method, path]) => `${method} ${path}`).toSorted()).toEqual(
      told.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    expect(html.match(/curl -s/g)).toHaveLength(operations.length);
  });

  it('has examples that the server takes', async () => {
    const { call } = await openServer({ replies: () => 'Hi.' });
    const html = await (await call('GET /docs')).text();
    const bodyOf = (path: string) => {
      const form = html.split(`data-path="${path}"`)[1] ?? '';
      const text = /<textarea[^>]*>([^<]*)</.exec(form)?.[1] ?? '';
      return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    };
    for (const path of ['/agent/{name}/chat', '/agent/{name}/awp']) {
      const response = await call(`POST ${path.replace('{name}', 'helper')}`, { body: bodyOf(path) });
      expect([path, response.status]).toEqual([path, 200]);
      await response.text();
    }
  });
});
