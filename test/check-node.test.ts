import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
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

describe('a checkout without node_modules', () => {
  it('says how to install the packages, to an older Node too', () => {
    const fresh = temporaryFolder();
    cpSync(join(ROOT, 'bin'), join(fresh, 'bin'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(fresh, 'package.json'));
    mkdirSync(join(fresh, 'src/cli'), { recursive: true });
    writeFileSync(join(fresh, 'src/cli/main.ts'), "import 'commander';\n");
    const lines = ['Dependencies are not installed. Run npm ci, then npm start.'];
    expect(runAsOldNode(fresh)).toEqual({ status: 2, lines });
    const { status, stderr } = spawnSync(process.execPath, [join(fresh, 'bin/holodeck.js')], { encoding: 'utf8' });
    expect({ status, lines: stderr.trim().split('\n') }).toEqual({ status: 2, lines });
  });
});

describe('an older Node', () => {
  it('reads how to get a newer one, outside a checkout and in one', () => {
    const installed = temporaryFolder();
    cpSync(join(ROOT, 'bin'), join(installed, 'bin'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
    const sentence = 'HoloDeck needs Node 24 or newer; this is Node 20.20.2.';
    const borrow =
      'Install Node 24 with your system, or borrow it for one command: npx -p node@24 -p holodeck holodeck';
    expect(runAsOldNode(installed)).toEqual({ status: 2, lines: [`${sentence} ${borrow}`] });
    const inCheckout =
      /^HoloDeck needs Node 24 or newer; this is Node 20\.20\.2\. .*: npx holodeck \(.*npm rebuild node\)$/;
    expect(runAsOldNode(ROOT)).toEqual({ status: 2, lines: [expect.stringMatching(inCheckout)] });
  });

  it('can read both files: Node 12 knows ECMAScript 2019 and import(), but no top-level await', async () => {
    for (const name of ['holodeck.js', 'check-node.js']) {
      const text = readFileSync(join(ROOT, 'bin', name), 'utf8');
      const { code } = await transform(text, { target: 'node12.22', supported: { 'top-level-await': false } });
      const plain = await transform(text, { target: 'esnext' });
      expect(code).toBe(plain.code);
    }
  });
});
