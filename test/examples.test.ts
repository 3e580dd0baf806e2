import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

describe('examples', () => {
  it.each(globSync('examples/*/main.ts', { cwd: ROOT }))('%s holds what it asserts', (file) => {
    const { status, stderr } = spawnSync(process.execPath, ['--conditions=holodeck-source', file], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
