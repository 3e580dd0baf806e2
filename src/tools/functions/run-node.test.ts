import { expect, it } from 'vitest';
import { runNode } from './run-node.ts';

it('returns the output of a program that succeeds', async () => {
  const program = `process.stdin.pipe(process.stdout); console.error('aside')`;
  const ran = await runNode(['-e', program], { signal: undefined, input: 'given' });
  expect(ran).toEqual({ isGood: true, output: 'given', errors: 'aside\n' });
});

it('is not good when the program fails or cannot start', async () => {
  expect(await runNode(['-e', 'process.exit(1)'], { signal: undefined })).toMatchObject({ isGood: false });
  expect(await runNode(['-e', ''], { signal: AbortSignal.abort() })).toMatchObject({ isGood: false });
});
