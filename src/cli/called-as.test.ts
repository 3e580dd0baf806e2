import { describe, expect, it } from 'vitest';
import { commandText, optionParts, resumeParts } from './called-as.ts';

describe('commandText', () => {
  it.each([
    ['as it is installed', { program: '/usr/bin/holodeck', script: undefined }, "holodeck chat 'it'\\''s/agent.yaml'"],
    ['by npm', { program: '/x/bin/holodeck.js', script: 'start' }, "npm start -- chat 'it'\\''s/agent.yaml'"],
    ['by npx', { program: '/x/.bin/holodeck', script: 'npx' }, "npx holodeck chat 'it'\\''s/agent.yaml'"],
    ['by its path', { program: '/x/holodeck.js', script: undefined }, "node /x/holodeck.js chat 'it'\\''s/agent.yaml'"],
    [
      'by its path, with the Node of npx',
      { program: '/x y/holodeck.js', script: 'npx' },
      "npx node '/x y/holodeck.js' chat 'it'\\''s/agent.yaml'",
    ],
  ])('is written %s', (_, caller, expected) => {
    expect(commandText(['chat', "it's/agent.yaml"], caller)).toBe(expected);
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

describe('optionParts', () => {
  it('writes what was given', () => {
    const options = { host: '::1', corsOrigins: ['http://a', 'http://b'], open: true, debug: false, data: undefined };
    expect(optionParts(options)).toEqual(['--host', '::1', '--cors-origins', 'http://a', 'http://b', '--open']);
  });
});
