import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { failuresOf, testAgent } from './scene.ts';

describe('the shipped agents', () => {
  it.each([
    ['todo', 30],
    ['retail', 30],
    ['handbook', 7],
  ])('%s passes its own cases', { timeout: 600_000 }, async (name, least) => {
    const report = await testAgent(fileURLToPath(new URL(`../../agents/${name}`, import.meta.url)), { parallel: 2 });
    expect(failuresOf(report)).toEqual([]);
    expect(report.cases.length).toBeGreaterThanOrEqual(least);
  });
});
