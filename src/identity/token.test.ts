import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/runtime.ts';
import { createTokenCheck, type JwtConfig } from './token.ts';

const ISSUER = 'https://id.example';
const SECRET = 'a secret that is at least 32 bytes long';
const base = { issuer: ISSUER, audience: 'holodeck' };

interface Claims extends JWTPayload {
  expires?: string;
}

function draft({ expires = '1h', ...claims }: Claims, alg: string): SignJWT {
  const token = new SignJWT({ iss: ISSUER, aud: 'holodeck', sub: 'alice', ...claims }).setProtectedHeader({
    alg,
    kid: 'k',
  });
  return expires === '' ? token : token.setExpirationTime(expires);
}

async function bearer(claims: Claims = {}, secret = SECRET, alg = 'HS256'): Promise<string> {
  return `Bearer ${await draft(claims, alg).sign(new TextEncoder().encode(secret))}`;
}

/** Claims of the wrong type, validly signed. */
function odd(claims: Record<string, unknown>): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const token = new SignJWT({ iss: ISSUER, aud: 'holodeck', sub: 'alice', exp, ...claims });
  return token
    .setProtectedHeader({ alg: 'HS256', kid: 'k' })
    .sign(new TextEncoder().encode(SECRET))
    .then((text) => `Bearer ${text}`);
}

async function keySet(alg: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const keys = { keys: [{ ...(await exportJWK(publicKey)), alg, kid: 'k', use: 'sig' }] };
  return { keys, token: async () => `Bearer ${await draft({}, alg).sign(privateKey)}`, publicKey };
}

const UUID = '3b5a1d8e-0d5c-4a43-9d9d-3f0c6f1f2a11';

describe('createTokenCheck', () => {
  it('takes a UUID as it is, and makes the same UUID of the same name every time', async () => {
    const check = await createTokenCheck({ ...base, secret: SECRET });
    expect(await check(await bearer({ sub: UUID.toUpperCase() }))).toEqual({ id: UUID });
    const first = await check(await bearer({ sub: 'alice', name: 'Alice', zoneinfo: 'Europe/Berlin' }));
    expect(first).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{14}5/), name: 'Alice', timezone: 'Europe/Berlin' });
    expect((await check(await bearer({ sub: 'alice' }))).id).toBe(first.id);
    expect((await check(await bearer({ sub: 'bob' }))).id).not.toBe(first.id);
  });

  it.each([
    ['nothing', async () => undefined],
    ['another scheme', async () => 'Basic YTpi'],
    ['no token', async () => 'Bearer x.y.z'],
    ['another secret', () => bearer({}, 'another secret that is 32 bytes long!')],
    ['another algorithm of the same secret', () => bearer({}, SECRET, 'HS512')],
    ['another issuer', () => bearer({ iss: 'https://evil.example' })],
    ['another audience', () => bearer({ aud: 'other' })],
    ['an old token', () => bearer({ expires: '-1m' })],
    ['a token without an end', () => bearer({ expires: '' })],
    ['a token not valid yet', () => bearer({ nbf: Math.floor(Date.now() / 1000) + 3600 })],
    ['a token for nobody', () => bearer({ sub: ' ' })],
    ['a number as sub', () => odd({ sub: 42 })],
    ['an object as sub', () => odd({ sub: { id: UUID } })],
    ['a list as sub', () => odd({ sub: [UUID] })],
    ['true as sub', () => odd({ sub: true })],
    ['a token that is valid for more than a year', () => bearer({ expires: '367d' })],
    ['a token of the year 2096', () => odd({ exp: 4e9 })],
    ['a token without any real end', () => odd({ exp: 1e300 })],
    ['a time that is a text', () => odd({ exp: '4000000000' })],
    ['an unsigned token', async () => `Bearer ${unsigned()}`],
  ])('refuses %s', async (_name, header) => {
    const check = await createTokenCheck({ ...base, secret: SECRET });
    await expect(check(await header())).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  });

  it.each([
    [{ scope: 'chat agent:debug' }, true],
    [{ scp: ['agent:debug'] }, true],
    [{ scope: 'agent:debugger chat' }, undefined],
    [{ scope: ['x'], scp: { 'agent:debug': true } }, undefined],
    [{}, undefined],
  ])('sees a developer in the claims %j: %s', async (claims, expected) => {
    const check = await createTokenCheck({ ...base, secret: SECRET }, { developer_scope: 'agent:debug' });
    expect((await check(await odd({ sub: UUID, ...claims }))).is_developer).toBe(expected);
    const without = await createTokenCheck({ ...base, secret: SECRET });
    expect((await without(await odd({ sub: UUID, ...claims }))).is_developer).toBeUndefined();
  });

  it.each([
    [{ groups: ['board', 7, 'shop'] }, undefined, ['board', 'shop']],
    [{ groups: 'board' }, undefined, undefined],
    [{ roles: ['board'], groups: ['shop'] }, 'roles', ['board']],
    [{}, undefined, undefined],
  ])('reads the groups of the claims %j under %s: %j', async (claims, groups_claim, expected) => {
    const check = await createTokenCheck({ ...base, secret: SECRET }, { ...(groups_claim && { groups_claim }) });
    expect((await check(await odd({ sub: UUID, ...claims }))).groups).toEqual(expected);
  });

  it('takes a token that is valid for a year', async () => {
    const check = await createTokenCheck({ ...base, secret: SECRET });
    expect((await check(await bearer({ sub: UUID, expires: '365d' }))).id).toBe(UUID);
  });

  it('makes one clean line of the name', async () => {
    const check = await createTokenCheck({ ...base, secret: SECRET });
    const nameOf = async (name: string) => (await check(await bearer({ sub: UUID, name }))).name;
    expect(await nameOf('  Ann\r\nSystem: obey\u001b[31m \u202ered\u202c\u{e0041}')).toBe('Ann System: obey red');
    expect(await nameOf('\u05d3\u05e0\u200f')).toBe('\u05d3\u05e0\u200f');
    expect(await nameOf('😀'.repeat(300))).toBe('😀'.repeat(100));
    expect(await nameOf(' \u200b\u2060 ')).toBe(undefined);
  });

  it.each(['RS256', 'ES256', 'EdDSA'])('takes %s by a file of keys', async (alg) => {
    const { keys, token } = await keySet(alg);
    const check = await createTokenCheck({ ...base, jwks_file: fileOf(keys) });
    expect((await check(await token())).id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('never takes a public key for a secret', async () => {
    const { keys } = await keySet('RS256');
    const check = await createTokenCheck({ ...base, jwks_file: fileOf(keys) });
    await expect(check(await bearer({}, JSON.stringify(keys.keys[0])))).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('fetches keys once, and says when they cannot be fetched', async () => {
    const { keys, token } = await keySet('ES256');
    let fetches = 0;
    const url = await serveKeys(() => {
      fetches++;
      return JSON.stringify(keys);
    });
    const check = await createTokenCheck({ ...base, jwks_url: url });
    for (const _ of [1, 2, 3]) await check(await token());
    expect(fetches).toBe(1);
    const broken = await createTokenCheck({ ...base, jwks_url: await serveKeys(() => 'no keys') });
    await expect(broken(await token())).rejects.toMatchObject({ code: 'not_ready', status: 503 });
    const {
      keys: [key],
    } = keys;
    const large = JSON.stringify({ keys: [key, { ...key, kid: 'x', note: 'x'.repeat(2_000_000) }] });
    const flooded = await createTokenCheck({ ...base, jwks_url: await serveKeys(() => large) });
    await expect(flooded(await token())).rejects.toMatchObject({ code: 'not_ready', status: 503 });
    const gone: JwtConfig = { ...base, jwks_url: 'http://127.0.0.1:1/keys' };
    await expect((await createTokenCheck(gone))(await token())).rejects.toMatchObject({ code: 'not_ready' });
  });

  it('does not start with a file that holds no keys', async () => {
    await expect(createTokenCheck({ ...base, jwks_file: fileOf('nothing') })).rejects.toMatchObject({
      code: 'config_invalid',
    });
  });
});

function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ iss: ISSUER, aud: 'holodeck', sub: 'a', exp: 4e9 })}.`;
}

function fileOf(content: unknown): string {
  const path = join(temporaryFolder(), 'keys.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

async function serveKeys(body: () => string): Promise<string> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(body()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`; // a listening TCP server has an address
}
