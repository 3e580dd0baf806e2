import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { failuresOf, testAgent } from './scene.ts';

const LEAST_CASES = 30;

describe('the shipped agents', () => {
  it.each(['todo', 'retail'])('%s passes its own cases', { timeout: 600_000 }, async (name) => {
    const report = await testAgent(fileURLToPath(new URL(`../../agents/${name}`, import.meta.url)), { parallel: 2 });
    expect(failuresOf(report)).toEqual([]);
    expect(report.cases.length).toBeGreaterThanOrEqual(LEAST_CASES);
  });
});
