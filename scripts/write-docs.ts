/** Writes the pages that are generated from the program. Run: npm run docs:write */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED_PAGES } from './docs/generated-pages.ts';

for (const [path, make] of Object.entries(GENERATED_PAGES)) {
  writeFileSync(join(import.meta.dirname, '..', path), await make());
}
