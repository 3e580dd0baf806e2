import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** `npx vite -c web/vite.config.ts` serves the page from its sources and sends every other request to this server. */
const SERVER = process.env.HOLODECK_URL ?? 'http://127.0.0.1:8000';
const ROUTES = ['/agent', '/agents', '/sessions', '/me', '/docs', '/openapi.json', '/health'];

const UNUSED = join(import.meta.dirname, 'reader/unused-parts.ts');

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: join(import.meta.dirname, '../node_modules/.vite-web'),
  resolve: {
    // Bundles a single copy of zod, and no part of the AG-UI client that the page never reaches.
    dedupe: ['zod'],
    alias: Object.fromEntries(['@ag-ui/proto', 'fast-json-patch', 'untruncate-json'].map((name) => [name, UNUSED])),
  },
  build: {
    outDir: join(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    // The first load is one script, also where panels that load later share parts of it.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'index', tags: ['$initial'] }] } } },
  },
  plugins: [leaveOutJsonSchemas(), compressAssets()],
  server: { proxy: Object.fromEntries(ROUTES.map((route) => [route, SERVER])) },
});

/** Cuts the writing of JSON Schemas out of zod: the page only checks values, and these are 32 kB of its first load. */
function leaveOutJsonSchemas(): Plugin {
  return {
    name: 'leave-out-json-schemas',
    transform(code, id) {
      if (!id.endsWith('/zod/v4/classic/schemas.js')) return;
      return code
        .replace(/^\s*inst\._zod\.processJSONSchema = .*;$/gm, '')
        .replace(/create(?:StandardJSONSchema|ToJSONSchema)Method\(this, .*?\)/g, 'undefined');
    },
  };
}

/** Writes `.br` and `.gz` beside every hashed asset, so that the server compresses nothing while it answers. */
export function compressAssets(): Plugin {
  let outDir = '';
  return {
    name: 'compress-assets',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    closeBundle() {
      for (const file of globSync(`${outDir}/assets/*.{js,css,svg}`)) {
        const bytes = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
      }
    },
  };
}
