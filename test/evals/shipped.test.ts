import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../runtime.ts';
import { failuresOf, run } from './scene.ts';

describe('the shipped agents', () => {
  // The built command: from the sources, the cases took 55 seconds of CPU instead of 35.
  it.each([
    ['todo', 30],
    ['retail', 30],
    ['handbook', 7],
    ['support', 5],
  ])('%s passes its own cases', { timeout: 600_000 }, async (name, least) => {
    const file = fileURLToPath(new URL(`../../agents/${name}/agent.yaml`, import.meta.url));
    const { code, out } = await run(['test', file, '--json', '--data', temporaryFolder()]);
    const report = JSON.parse(out);
    expect(failuresOf(report)).toEqual([]);
    expect(code).toBe(0);
    expect(report.cases.length).toBeGreaterThanOrEqual(least);
  });
});
