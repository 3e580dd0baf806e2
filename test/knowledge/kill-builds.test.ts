import { expect, it } from 'vitest';
import { killBuilds } from './kill-builds.ts';

it('a build that is killed at any moment is finished by the next one, and stores no passage twice', async () => {
  const moments = [0.05, 0.3, 0.7];
  const random = () => moments.shift() ?? 0.5;
  expect(await killBuilds({ kills: 3, files: 200, random })).toMatchObject({ documents: 200, twice: 0, astray: 0 });
}, 60_000);
