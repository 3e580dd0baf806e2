/** Makes the published package: one bundle of the command and the library, and the types. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: {
    main: 'src/cli/main.ts',
    index: 'src/index.ts',
    schema: 'src/schema/index.ts',
    // Threads and child processes are files of their own, beside the code that starts them.
    'writer-worker': 'src/store/sqlite/writer-worker.ts',
    'function-worker': 'src/tools/function-worker.ts',
    watchdog: 'src/mcp/watchdog.ts',
    'sql-child': 'src/space/sql-child.ts',
    'convert-child': 'src/files/convert-child.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  legalComments: 'linked',
  logLevel: 'warning',
  banner: {
    // CommonJS packages inside an ES module bundle look for these.
    js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url); const __filename = import.meta.filename; const __dirname = import.meta.dirname;",
  },
});
cpSync('src/builtin/data', 'dist/data', { recursive: true });
for (const build of ['relaxedsimd-lstm', 'lstm']) {
  const core = `tesseract-core-${build}`;
  cpSync(`node_modules/tesseract.js-core/${core}.js`, `dist/ocr/${core}.cjs`);
  cpSync(`node_modules/tesseract.js-core/${core}.wasm`, `dist/ocr/${core}.wasm`);
}
cpSync('node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz', 'dist/ocr/eng.traineddata.gz');
execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
