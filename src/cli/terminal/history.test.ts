import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/runtime.ts';
import { createHistory } from './history.ts';

describe('createHistory', () => {
  it('is there again in the next run, in a file that only its owner can read', () => {
    const path = join(temporaryFolder(), 'new', 'history');
    const first = createHistory(path);
    first.add('one');
    first.add('two\nlines');
    first.add('two\nlines');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toBe('"one"\n"two\\nlines"\n');
    const second = createHistory(path);
    expect([second.older(''), second.older(''), second.older('')]).toEqual(['two\nlines', 'one', undefined]);
  });

  it('leaves out lines that it cannot read and keeps a bounded number', () => {
    const path = join(temporaryFolder(), 'history');
    writeFileSync(path, Array.from({ length: 2500 }, (_, index) => `"${index}"\n`).join(''));
    appendFileSync(path, 'broken\n{}\n"last"\n');
    expect(createHistory(path).older('')).toBe('last');
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(1001);
  });

  it('works without a file', () => {
    const history = createHistory(join(temporaryFolder(), 'history\0'));
    history.add('one');
    history.rest();
    expect(history.older('')).toBe('one');
  });
});
