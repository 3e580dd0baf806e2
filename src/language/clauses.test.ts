import { describe, expect, it } from 'vitest';
import { splitClauses } from './clauses.ts';

describe('splitClauses', () => {
  it.each([
    ['add buy milk to my list and mark call mom as done', ['add buy milk to my list', 'mark call mom as done']],
    ['delete the milk task, then show my list', ['delete the milk task', 'show my list']],
    ['remind me to call mom; delete the dentist task', ['remind me to call mom', 'delete the dentist task']],
    ['remind me to buy milk and delete old photos', ['remind me to buy milk and delete old photos']],
    ['add "milk and then delete eggs" to my list', ['add "milk and then delete eggs" to my list']],
    ['buy bread and butter', ['buy bread and butter']],
    ['', []],
  ])('%s', (text, clauses) => {
    expect(splitClauses(text)).toEqual(clauses);
  });
});
