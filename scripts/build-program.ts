import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/** Code that nearly every command needs. It stays in one file, because each further file slows the start. */
const CORE = resolve('src/cli/open-agent.ts');

/**
 * Loads Node's modules by require, with the first use of a name: an import reads all exports (one of node:http loads a
 * second HTTP client), and the bundler copies them for each file. A name is kept in the importing file after its first use.
 */
const builtinsByRequire: Plugin = {
  name: 'builtins-by-require',
  setup(builder) {
    builder.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : { path, external: true },
    );
    builder.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: WHOLE.has(path) ? `module.exports = require('${path}');` : onFirstUse(path),
    }));
  },
};

/** Modules whose default export is more than a list of names, and which every start has loaded anyway. */
const WHOLE = new Set(['node:assert', 'node:events', 'node:module', 'node:process', 'node:stream']);

function onFirstUse(path: string): string {
  return `module.exports = Object.create(new Proxy({}, {
    get(_, name, importer) {
      const value = require('${path}')[name];
      Object.defineProperty(importer, name, { value });
      return value;
    },
  }));`;
}

const common = {
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Names stay, so that the frames of an error are readable; with --enable-source-maps they name our source files.
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
  plugins: [builtinsByRequire],
  // Of the two forms of this package, the one for browsers is made of modules: its unused parts are left out.
  alias: { yaml: resolve('node_modules/yaml/browser/dist/index.js') },
  banner: {
    // Older Node versions get a clear message instead of a missing module. Bundled CommonJS packages need the other
    // names.
    js: "if (Number.parseInt(process.versions.node) < 24) throw new Error(`HoloDeck needs Node 24 or newer; this is Node ${process.versions.node}.`); import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url); const __filename = import.meta.filename; const __dirname = import.meta.dirname;",
  },
} satisfies BuildOptions;

/** Makes late-loaded parts import the core, so that the bundler does not split the core by its users. */
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

/** Keeps only English of a library's messages in forty languages. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup(builder) {
    builder.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

const RECOGNITION = 'node_modules/tesseract.js-core';
const LETTERS = 'node_modules/@tesseract.js-data/eng';

interface Program {
  bundles: Metafile[];
  /** Folders of packages whose files are in dist as they are. */
  copied: string[];
}

/** Builds the command and the library into dist: bundles, and the data files that they read. */
export async function buildProgram(): Promise<Program> {
  const bundle = await build({
    ...common,
    entryPoints: { main: 'src/cli/main.ts', index: 'src/index.ts', schema: 'src/schema/index.ts' },
    splitting: true,
    plugins: [builtinsByRequire, lateOnCore, englishOnly],
  });
  // Threads and child processes are separate files next to the code that starts them.
  const processes = await build({
    ...common,
    entryPoints: {
      'checkpoint-worker': 'src/store/sqlite/checkpoint-worker.ts',
      'function-worker': 'src/tools/functions/function-worker.ts',
      'reader-worker': 'src/builtin/reader/reader-worker.ts',
      'scan-worker': 'src/embeddings/scan-worker.ts',
      watchdog: 'src/mcp/client/watchdog.ts',
      'sql-child': 'src/space/sql/sql-child.ts',
    },
  });
  const converter = await build({
    ...common,
    entryPoints: { 'convert-child': 'src/files/job/convert-child.ts' },
    splitting: true,
  });
  dropForeignMaps();
  copyData();
  return { bundles: [bundle, processes, converter].map(({ metafile }) => metafile), copied: [RECOGNITION, LETTERS] };
}

/** Removes the source maps of parts that consist of packages: half of the bytes, for frames that nobody asks for. */
function dropForeignMaps(): void {
  for (const map of globSync('dist/*.js.map')) {
    if (readFileSync(map, 'utf8').includes('"../src/')) continue;
    rmSync(map);
    const part = map.slice(0, -'.map'.length);
    writeFileSync(part, readFileSync(part, 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\n$/, '\n'));
  }
}

function copyData(): void {
  for (const folder of ['src/builtin/reader/data', 'src/builtin/tools/data', 'src/language/data']) {
    cpSync(folder, 'dist/data', { recursive: true });
  }
  for (const name of ['tesseract-core-relaxedsimd-lstm', 'tesseract-core-lstm']) {
    cpSync(`${RECOGNITION}/${name}.js`, `dist/ocr/${name}.cjs`);
    cpSync(`${RECOGNITION}/${name}.wasm`, `dist/ocr/${name}.wasm`);
  }
  cpSync(`${LETTERS}/4.0.0_best_int/eng.traineddata.gz`, 'dist/ocr/eng.traineddata.gz');
}
