import { expect, it } from 'vitest';
import { pick } from '../long.ts';
import { killBuilds } from './kill-builds.ts';

it('a build that is killed at any moment is finished by the next one, and stores no passage twice', async () => {
  const { kills, files } = pick({ kills: 3, files: 200 }, { kills: 50, files: 400 });
  let at = 0;
  // Steps of the golden ratio: moments spread evenly over the build, the same in every run.
  const random = () => (++at * 0.618) % 1;
  expect(await killBuilds({ kills, files, random })).toMatchObject({ documents: files, twice: 0, astray: 0 });
}, 300_000);
