/** Builds the documentation as a static site in site/. Run: npm run docs:site */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSite } from './docs/site.ts';

const root = join(import.meta.dirname, '..');
const out = join(root, 'site');
rmSync(out, { recursive: true, force: true });
const pages = buildSite(root, out);
console.log(`${pages.length} pages: open ${join(out, 'index.html')}`);
