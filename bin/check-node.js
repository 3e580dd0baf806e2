// Plain JavaScript, so that an older Node can read it and say what is wrong.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [major] = process.versions.node.split('.').map(Number);
const isCheckout = existsSync(new URL('../src/cli/main.ts', import.meta.url));
const folders = createRequire(import.meta.url).resolve.paths('commander');
if (isCheckout && !folders.some((folder) => existsSync(join(folder, 'commander')))) {
  console.error('Dependencies are not installed. Run npm ci, then npm start.');
  process.exit(2);
}
if (major < 24) {
  const advice = isCheckout
    ? 'Start it with npx, which uses the Node 24 that npm ci installed here: npx holodeck (without effect? npm rebuild node)'
    : 'Install Node 24 with your system, or borrow it for one command: npx -p node@24 -p holodeck holodeck';
  console.error(`HoloDeck needs Node 24 or newer; this is Node ${process.versions.node}. ${advice}`);
  process.exit(2);
}
