// Plain JavaScript: npm runs it with the machine's own Node when install scripts are off for the package `node`.
// A checkout gets its page by `npm ci`. Without the packages for it the server starts all the same and says how to get it.
import { existsSync } from 'node:fs';

if (
  existsSync(new URL('../web/main.tsx', import.meta.url)) &&
  existsSync(new URL('../node_modules/vite', import.meta.url))
) {
  try {
    const { build } = await import('vite');
    await build({ configFile: 'web/vite.config.ts', logLevel: 'warn' });
  } catch (error) {
    console.error(`The page was not built (${error.message}). Later: npm run prepare`);
  }
}
