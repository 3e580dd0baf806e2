import { describe, expect, it } from 'vitest';
import { configInvalid, formatPath, formatProblem } from './problem.ts';

const at = (line: number) => ({ file: 'agent.yaml', line, column: 1, path: 'name', message: `fault ${line}` });

describe('formatProblem', () => {
  it('writes the place, the path and the message, and leaves out absent parts', () => {
    expect(formatProblem(at(3))).toBe('agent.yaml:3:1 name: fault 3');
    expect(formatProblem({ ...at(3), path: '' })).toBe('agent.yaml:3:1: fault 3');
    expect(formatProblem({ file: 'command line', path: 'name', message: 'x' })).toBe('command line name: x');
  });
});

describe('formatPath', () => {
  it('quotes odd keys so that they cannot act on a terminal', () => {
    const path = formatPath(['tools', 0, 'headers', 'X-A', 'a b', '\u001b[2J\u202e\u2028']);
    expect(path).toBe('tools[0].headers.X-A."a b"."\\u001b[2J\\u{202e}\\u{2028}"');
  });

  it('shortens long keys', () => {
    expect(formatPath(['x'.repeat(5_000)])).toBe(`"${'x'.repeat(80)}…"`);
  });
});

describe('configInvalid', () => {
  it('puts problems in the order of the file', () => {
    expect(configInvalid([at(2), at(1)]).problems).toEqual([at(1), at(2)]);
  });

  it('counts the problems that it does not show', () => {
    const error = configInvalid(Array.from({ length: 250 }, (_, index) => at(index)));
    expect([error.problems.length, error.message.split('\n').at(-1)]).toEqual([200, 'and 50 more']);
  });
});
