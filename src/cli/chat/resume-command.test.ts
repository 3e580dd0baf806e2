import { describe, expect, it } from 'vitest';
import { resumeCommand } from './resume-command.ts';

const started = { file: undefined, data: undefined, model: undefined, program: '/usr/bin/holodeck', script: undefined };

describe('resumeCommand', () => {
  it.each([
    ['as it is installed', {}, 'holodeck chat --resume'],
    ['by npm', { script: 'start', program: '/x/bin/holodeck.js' }, 'npm start -- chat --resume'],
    ['by its path', { program: '/x y/bin/holodeck.js' }, "node '/x y/bin/holodeck.js' chat --resume"],
    [
      'with a file, a model and a folder',
      { file: "it's/agent.yaml", data: 'd 1', model: 'google/gemini-2.5-flash' },
      "holodeck chat 'it'\\''s/agent.yaml' --model google/gemini-2.5-flash --data 'd 1' --resume",
    ],
  ])('comes back %s', (_, given, expected) => {
    expect(resumeCommand({ ...started, ...given })).toBe(expected);
  });
});
