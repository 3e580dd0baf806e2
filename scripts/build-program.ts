import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin, type PluginBuild } from 'esbuild';

/**
 * Code that nearly every command needs, also after its start. It stays together, because each further file and each import
 * between two files slows the start.
 */
const CORE = [
  'src/cli/open-agent.ts',
  'src/cli/called-as.ts',
  'src/cli/open-browser.ts',
  'src/cli/watch-agents.ts',
  'src/models/providers/openai-compatible.ts',
  'src/models/text-calls/text-call-model.ts',
  'src/schema/conversation/history.ts',
  'src/schema/fronts/mcp.ts',
  'src/server/http/listen.ts',
  'src/server/identity.ts',
  'src/tools/functions/function-tools.ts',
  'node:events',
  'node:process',
].map((file) => (file.startsWith('node:') ? file : resolve(file)));
/** The same for the parts of the server. */
const SERVER = resolve('src/server/app.ts');

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
    let late: ReadonlySet<string> = new Set();
    builder.onStart(async () => {
      late = await findLateFiles(builder);
    });
    builder.onLoad({ filter: /\.m?[jt]s$/ }, ({ path }) => {
      if (!late.has(path)) return undefined;
      const text = readFileSync(path, 'utf8');
      // An import would change the meaning of a package without modules.
      if (!/^(import|export)\b/m.test(text)) return undefined;
      const shared = path.includes('/src/server/') ? [...CORE, SERVER] : CORE;
      const imports = shared.filter((file) => file !== path).map((file) => `import ${JSON.stringify(file)};`);
      return { contents: imports.join('') + text, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

/** Our files and the modules of packages that are imported when they are used. */
async function findLateFiles(builder: PluginBuild): Promise<Set<string>> {
  const files = globSync('src/**/*.ts').flatMap((file) => {
    const places = readFileSync(file, 'utf8').matchAll(/import\('([^']+)'\)/g);
    const options = { kind: 'dynamic-import', resolveDir: resolve(dirname(file)) } as const;
    return [...places].map(([, place = '']) => builder.resolve(place, options));
  });
  return new Set((await Promise.all(files)).map(({ path }) => path));
}

/** Names zod's functions one by one in packages that import all of them as one object, so that unused ones are left out. */
const zodByName: Plugin = {
  name: 'zod-by-name',
  setup(builder) {
    builder.onLoad({ filter: /node_modules\/@(ai-sdk|ag-ui)\/.*\.m?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return {
        contents: text.replace(
          /import ?\{ ?z(?: as (\w+))? ?\} ?from ?("zod(?:\/v4)?")/g,
          (_, name = 'z', from) => `import * as ${name} from ${from}`,
        ),
        loader: 'js',
      };
    });
  },
};

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
    plugins: [builtinsByRequire, lateOnCore, zodByName, englishOnly],
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
