import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');
const OLD_NODE = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.20.2'}})";

function runAsOldNode(root: string) {
  const { status, stderr } = spawnSync(process.execPath, ['--import', OLD_NODE, join(root, 'bin/check-node.js')], {
    encoding: 'utf8',
  });
  return { status, lines: stderr.trim().split('\n') };
}

describe('an older Node', () => {
  it('reads how to get a newer one, outside a checkout and in one', () => {
    const installed = temporaryFolder();
    cpSync(join(ROOT, 'bin'), join(installed, 'bin'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
    const sentence = 'HoloDeck needs Node 24 or newer; this is Node 20.20.2.';
    const borrow = 'Install Node 24 with your system, or borrow it for one command: npx -p node@24 holodeck';
    expect(runAsOldNode(installed)).toEqual({ status: 2, lines: [sentence, borrow] });
    const inCheckout = [expect.stringContaining('npm rebuild node'), expect.stringMatching(/npx holodeck$/)];
    expect(runAsOldNode(ROOT)).toEqual({ status: 2, lines: [sentence, ...inCheckout] });
  });
});
