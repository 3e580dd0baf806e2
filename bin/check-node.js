// Plain JavaScript, so that an older Node can read it and say what is wrong.
import { existsSync } from 'node:fs';

const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  const isCheckout = existsSync(new URL('../src/cli/main.ts', import.meta.url));
  console.error(
    `HoloDeck needs Node 24 or newer; this is Node ${process.versions.node}.\n` +
      (isCheckout
        ? 'In a checkout, `npm ci` brings Node 24 along for every npm script. If it did not, run: npm rebuild node\n' +
          'Start commands with npx, which uses that Node: npx holodeck'
        : 'Install Node 24 with your system, or borrow it for one command: npx -p node@24 holodeck'),
  );
  process.exit(2);
}
