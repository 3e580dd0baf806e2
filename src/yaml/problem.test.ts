import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, findNear } from './did-you-mean.ts';
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

const KEYS = ['name', 'instructions', 'model', 'message_chars', 'role', 'rules'];

describe('findNear', () => {
  it.each([
    ['nmae', 'name'],
    ['instuctions', 'instructions'],
    ['Model', 'model'],
    ['message-chars', 'message_chars'],
    ['messageChars', 'message_chars'],
    ['rule', 'rules'],
    ['base', undefined],
    ['temperature', undefined],
    ['x'.repeat(100_000), undefined],
  ])('finds for %.20s: %s', (word, near) => {
    expect(findNear(word, KEYS)).toBe(near);
  });
});

describe('editDistance', () => {
  it('is zero for the same word, the same both ways, and never more than the longer word', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance === 0).toBe(a === b);
        expect(editDistance(b, a)).toBe(distance);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  it('counts a swap of neighbours as one', () => {
    expect(editDistance('prot', 'port')).toBe(1);
  });
});
