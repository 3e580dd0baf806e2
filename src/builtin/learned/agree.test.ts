import { describe, expect, it } from 'vitest';
import { agreeWith } from './agree.ts';

describe('agreeWith', () => {
  it('turns every name in a new task into its title', () => {
    expect(agreeWith('create', ['none', 'ref', 'ref', 'when'])).toEqual(['none', 'title', 'title', 'when']);
  });

  it('turns a title into a reference where a task must exist', () => {
    expect(agreeWith('delete', ['none', 'title', 'except'])).toEqual(['none', 'ref', 'except']);
  });

  it('reads the first of two titles of an update as the task, the second as its new title', () => {
    expect(agreeWith('update', ['none', 'title', 'none', 'title'])).toEqual(['none', 'ref', 'none', 'new']);
    expect(agreeWith('update', ['none', 'ref', 'none', 'title'])).toEqual(['none', 'ref', 'none', 'new']);
    expect(agreeWith('update', ['none', 'title', 'none', 'new'])).toEqual(['none', 'ref', 'none', 'new']);
  });

  it('reads the only title of an update as the new one', () => {
    expect(agreeWith('update', ['none', 'title', 'title'])).toEqual(['none', 'new', 'new']);
  });

  it('leaves the roles of other messages alone', () => {
    expect(agreeWith('confirm', ['none', 'title'])).toEqual(['none', 'title']);
  });
});
