/** Makes the published package: one bundle of the command and the library, and the types. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { keepPublicTypes } from './keep-public-types.ts';
import { writeLicenses } from './write-licenses.ts';

/** What nearly every command needs; it is kept together in one file, because each further file costs at the start. */
const CORE = resolve('src/cli/open-agent.ts');

/** An import of Node's own modules reads all of their exports, and node:http has one that loads a second HTTP client. */
const builtinsByRequire: Plugin = {
  name: 'builtins-by-require',
  setup(builder) {
    builder.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : { path, external: true },
    );
    builder.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

const common = {
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
  plugins: [builtinsByRequire],
  banner: {
    // An older Node gets a sentence instead of a missing module. CommonJS packages inside an ES module bundle look for these.
    js: "if (Number.parseInt(process.versions.node) < 24) throw new Error(`HoloDeck needs Node 24 or newer; this is Node ${process.versions.node}.`); import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url); const __filename = import.meta.filename; const __dirname = import.meta.dirname;",
  },
} satisfies BuildOptions;

/** Parts that are loaded late all stand on the core, so that the core is not cut up by who uses what of it. */
const lateOnCore: Plugin = {
  name: 'late-on-core',
  setup(builder) {
    const late = findLateFiles();
    builder.onLoad({ filter: /src\/.*\.ts$/ }, ({ path }) => {
      if (!late.has(path)) return undefined;
      return { contents: `import ${JSON.stringify(CORE)};\n${readFileSync(path, 'utf8')}`, loader: 'ts' };
    });
  },
};

function findLateFiles(): Set<string> {
  const files = globSync('src/**/*.ts').flatMap((file) => {
    const places = readFileSync(file, 'utf8').matchAll(/import\('(\.[^']+)'\)/g);
    return [...places].map(([, place = '']) => resolve(dirname(file), place));
  });
  return new Set(files);
}

/** A library's messages in forty languages, of which English is the one that is loaded. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup(builder) {
    builder.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

rmSync('dist', { recursive: true, force: true });
const bundle = await build({
  ...common,
  entryPoints: { main: 'src/cli/main.ts', index: 'src/index.ts', schema: 'src/schema/index.ts' },
  splitting: true,
  plugins: [builtinsByRequire, lateOnCore, englishOnly],
});
// Threads and child processes are files of their own, beside the code that starts them.
const processes = await build({
  ...common,
  entryPoints: {
    'checkpoint-worker': 'src/store/sqlite/checkpoint-worker.ts',
    'function-worker': 'src/tools/function-worker.ts',
    watchdog: 'src/mcp/watchdog.ts',
    'sql-child': 'src/space/sql-child.ts',
  },
});
const converter = await build({
  ...common,
  entryPoints: { 'convert-child': 'src/files/convert-child.ts' },
  splitting: true,
});
cpSync('src/builtin/data', 'dist/data', { recursive: true });
const RECOGNITION = 'node_modules/tesseract.js-core';
const LETTERS = 'node_modules/@tesseract.js-data/eng';
for (const name of ['tesseract-core-relaxedsimd-lstm', 'tesseract-core-lstm']) {
  cpSync(`${RECOGNITION}/${name}.js`, `dist/ocr/${name}.cjs`);
  cpSync(`${RECOGNITION}/${name}.wasm`, `dist/ocr/${name}.wasm`);
}
cpSync(`${LETTERS}/4.0.0_best_int/eng.traineddata.gz`, 'dist/ocr/eng.traineddata.gz');
const bundles = [bundle, processes, converter].map(({ metafile }) => metafile);
writeLicenses('dist/LICENSES.txt', bundles, [RECOGNITION, LETTERS]);
execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
keepPublicTypes('dist/types', ['index.d.ts', 'schema/index.d.ts']);
