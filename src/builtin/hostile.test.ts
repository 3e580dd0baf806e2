import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sweep } from '../../test/long.ts';
import { type Attack, changedIn, isNamedAndUndone, lostIn, playAttack } from './attack-fixture.ts';

const read = (file: string) =>
  readFileSync(new URL(`../../test/fixtures/builtin/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.includes(' => '));

describe('messages that order nothing of the kind', () => {
  const attacks = sweep([...read('hostile.txt'), ...read('moves.txt')], 5);
  const played: Attack[] = [];

  it('delete, rename and take away nothing', async () => {
    for (const text of attacks) played.push(await playAttack(text, ' || '));
    expect(played.filter((attack) => lostIn(attack).length > 0).map(({ text }) => text)).toEqual([]);
  }, 300_000);

  it('complete or move a task in at most one of ten', () => {
    expect(played.filter((attack) => changedIn(attack).length > 0).length / attacks.length).toBeLessThanOrEqual(0.1);
  });

  it('name what they change, and one word takes it back', () => {
    const wrong = played.filter((attack) => changedIn(attack).length > 0 && !isNamedAndUndone(attack));
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });
});
