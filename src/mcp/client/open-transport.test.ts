import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { serverEnvironment } from './environment.ts';
import { deliverInOrder } from './open-transport.ts';

const note: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/progress' };
const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

function buildTransport(handler: (message: JSONRPCMessage) => void) {
  const errors: string[] = [];
  const transport: Transport = {
    start: async () => {},
    send: async () => {},
    close: async () => {},
    onerror: (error) => errors.push(error.message),
  };
  deliverInOrder(transport).onmessage = handler;
  return { errors, receive: (...messages: JSONRPCMessage[]) => messages.forEach((m) => void transport.onmessage?.(m)) };
}

describe('deliverInOrder', () => {
  it('takes an answer after what a notification before it set going, and keeps the order', async () => {
    const taken: string[] = [];
    const { receive } = buildTransport((message) => {
      if ('method' in message) void Promise.resolve().then(() => taken.push('note'));
      else taken.push(`answer ${message.id}`);
    });
    receive(answer(1), note, answer(2), note, answer(3));
    await expect.poll(() => taken.length).toBe(5);
    expect(taken).toEqual(['answer 1', 'note', 'note', 'answer 2', 'answer 3']);
  });

  it('reports what a handler throws and goes on', async () => {
    const { errors, receive } = buildTransport(() => {
      throw new Error('bad message');
    });
    receive(note, answer(1));
    await expect.poll(() => errors).toEqual(['bad message', 'bad message']);
  });

  it('has no handler until one is set, as its users expect', () => {
    const transport = deliverInOrder({ start: async () => {}, send: async () => {}, close: async () => {} });
    expect(transport.onmessage).toBeUndefined();
  });
});

describe('serverEnvironment', () => {
  it('passes on what programs need to run, and what is configured, and no key', () => {
    const ours = { PATH: '/bin', HOME: '/home/a', LC_ALL: 'C', OPENAI_API_KEY: 'secret', NODE_OPTIONS: '--inspect' };
    expect(serverEnvironment({ TOKEN: 't', HOME: '/elsewhere' }, ours)).toEqual({
      PATH: '/bin',
      HOME: '/elsewhere',
      LC_ALL: 'C',
      TOKEN: 't',
    });
  });

  it.each([
    ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
    ...['http_proxy', 'https_proxy', 'no_proxy', 'npm_config_registry', 'npm_config_proxy', 'npm_config_https_proxy'],
    ...['npm_config_noproxy', 'npm_config_cafile', 'npm_config_strict_ssl', 'npm_config_cache'],
    ...['npm_config_prefer_offline', 'NPM_CONFIG_REGISTRY', 'npm_config_strict-ssl'],
  ])('passes on %s, which a server behind a proxy needs', (name) => {
    expect(serverEnvironment({}, { [name]: 'canary' })).toEqual({ [name]: 'canary' });
  });

  it.each([
    ...['npm_config__auth', 'npm_config__authToken', 'npm_config__password', 'npm_config_//registry.a.com/:_authToken'],
    ...['npm_config_key', 'npm_config_cert', 'npm_config_ca', 'npm_config_otp', 'npm_config_token', 'npm_config_email'],
    ...['npm_config_userconfig', 'npm_config_globalconfig', 'npm_config_script_shell', 'npm_config_node_options'],
    ...['npm_config_registry_auth', 'NPM_TOKEN', 'NODE_AUTH_TOKEN', 'NODE_OPTIONS', 'LD_PRELOAD', 'SSL_KEY_FILE'],
    ...[
      'PROXY_PASSWORD',
      'ALL_PROXY',
      'HTTP_PROXY_AUTH',
      'AWS_SECRET_ACCESS_KEY',
      'SSH_AUTH_SOCK',
      'npm_lifecycle_event',
    ],
  ])('keeps %s', (name) => {
    expect(serverEnvironment({}, { [name]: 'canary' })).toEqual({});
  });

  it('does not pass on an exported shell function', () => {
    expect(serverEnvironment({}, { TERM: '() { :; }; echo', PATH: '/bin' })).toEqual({ PATH: '/bin' });
  });
});
