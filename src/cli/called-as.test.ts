import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  askOnceText,
  asTyped,
  commandText,
  optionParts,
  pageParts,
  portableText,
  resumeParts,
  withDataFolder,
} from './called-as.ts';
import { modelOverrides } from './model-flag.ts';

const caller = { program: '/x/bin/holodeck.js', script: 'start', node: '/n' };

describe('commandText', () => {
  it.each([
    [
      'as it is installed',
      { program: '/usr/bin/holodeck', script: undefined, node: '/n' },
      "holodeck chat 'it'\\''s/agent.yaml'",
    ],
    [
      'by npm',
      { program: '/x/bin/holodeck.js', script: 'start', node: '/n' },
      "npm start -- chat 'it'\\''s/agent.yaml'",
    ],
    ['by npx', { program: '/x/.bin/holodeck', script: 'npx', node: '/n' }, "npx holodeck chat 'it'\\''s/agent.yaml'"],
    [
      'by its path',
      { program: '/x/holodeck.js', script: undefined, node: '/n' },
      "node /x/holodeck.js chat 'it'\\''s/agent.yaml'",
    ],
    [
      'by its path, with another Node than the one of PATH',
      { program: '/x/holodeck.js', script: undefined, node: '/n', isOtherOnPath: true },
      "/n /x/holodeck.js chat 'it'\\''s/agent.yaml'",
    ],
    [
      'by its path, with the Node of npx',
      { program: '/x y/holodeck.js', script: 'npx', node: '/n' },
      "npx node '/x y/holodeck.js' chat 'it'\\''s/agent.yaml'",
    ],
  ])('is written %s', (_, caller, expected) => {
    expect(commandText(['chat', "it's/agent.yaml"], caller)).toBe(expected);
  });
});

describe('asTyped', () => {
  it('names this program as it was started', () => {
    const text = 'Restore it with `holodeck db restore`, or see `holodeck use`; holodeck init makes one.';
    const typed = 'Restore it with `npm start -- db restore`, or see `npm start -- use`; npm start -- init makes one.';
    expect(asTyped(text, caller)).toBe(typed);
  });
});

describe('portableText', () => {
  it.each([
    ['of a checkout by npm', { program: '/x/bin/holodeck.js', script: 'start' }, '/n/node /x/bin/holodeck.js chat /a'],
    ['of a checkout by npx', { program: '/x/bin/holodeck.js', script: 'npx' }, '/n/node /x/bin/holodeck.js chat /a'],
    ['of a checkout by its path', { program: '/x/holodeck.js', script: undefined }, 'node /x/holodeck.js chat /a'],
    ['as it is installed', { program: '/usr/bin/holodeck', script: undefined }, 'holodeck chat /a'],
  ])('names the program %s', (_, caller, expected) => {
    expect(portableText(['chat', '/a'], { ...caller, node: '/n/node' })).toBe(expected);
  });
});

describe('withDataFolder', () => {
  it.each([
    [[], 'npm start -- --data <folder>'],
    [['serve', 'my agent.yaml'], "npm start -- serve 'my agent.yaml' --data <folder>"],
  ])('writes the command of %j with another folder', (given, command) => {
    expect(withDataFolder('Choose another folder with --data.', given, caller)).toBe(
      `Choose another folder: ${command}.`,
    );
  });
});

describe('askOnceText', () => {
  it.each([
    [resolve('agents/todo/agent.yaml'), 'npm start -- run agents/todo/agent.yaml "…"'],
    ['agent.yaml', 'npm start -- run agent.yaml "…"'],
    ['.', 'npm start -- run . "…"'],
    ['../agent.yaml', 'npm start -- run ../agent.yaml "…"'],
    ['/elsewhere/agent.yaml', 'npm start -- run /elsewhere/agent.yaml "…"'],
  ])('names %s', (file, command) => {
    expect(askOnceText(file, caller)).toBe(command);
  });
});

describe('resumeParts', () => {
  it('comes back with file, model and folder', () => {
    const started = { file: 'agent.yaml', data: 'd 1', model: 'google/gemini-2.5-flash' };
    const options = ['--model', 'google/gemini-2.5-flash', '--data', 'd 1'];
    expect(resumeParts(started)).toEqual(['chat', 'agent.yaml', ...options, '--resume']);
    expect(resumeParts({ file: undefined, data: undefined, model: undefined })).toEqual(['chat', '--resume']);
  });
});

describe('pageParts', () => {
  it('serves the agent and the data of the chat', () => {
    expect(pageParts({ file: 'agent.yaml', data: 'd 1' })).toEqual(['serve', 'agent.yaml', '--data', 'd 1', '--open']);
    expect(pageParts({ file: undefined, data: undefined })).toEqual(['serve', '--open']);
  });
});

describe('optionParts', () => {
  it('writes what was given', () => {
    const options = { host: '::1', corsOrigins: ['http://a', 'http://b'], open: true, debug: false, data: undefined };
    expect(optionParts(options)).toEqual(['--host', '::1', '--cors-origins', 'http://a', 'http://b', '--open']);
  });
});

describe('modelOverrides', () => {
  it.each([
    [undefined, {}],
    ['builtin', { model: { provider: 'builtin' } }],
    ['google/gemini-2.5-flash', { model: { provider: 'google', name: 'gemini-2.5-flash' } }],
    ['ollama/library/llama3:8b', { model: { provider: 'ollama', name: 'library/llama3:8b' } }],
  ])('reads %s', (text, expected) => {
    expect(modelOverrides(text)).toEqual(expected);
  });

  it.each(['gpt', 'openai', 'openai/', 'other/x'])('refuses %s', (text) => {
    expect(() => modelOverrides(text)).toThrow(/provider\/name/);
  });
});
