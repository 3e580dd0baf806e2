import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A checkout keeps the built page in dist/web; in the package the page lies beside the bundle. */
const WEB_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/web/' : './web/', import.meta.url),
);

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
};
/** A plain file name: no folder, no leading dot, an extension of the table. */
const ASSET = new RegExp(`^\\w[\\w.-]*\\.(?<extension>${Object.keys(TYPES).join('|')})$`);
/** The build puts a hash of the content into the name, so this name never gets another content. */
const HASHED = /-[\w-]{8,}\.\w+$/;

/** Encodings that the build prepares, best first. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

export interface Asset {
  bytes: Buffer;
  type: string;
  /** Absent for the file as it is. */
  encoding?: string;
  isHashed: boolean;
}

/** The files of the built page. */
export interface WebFiles {
  /** Undefined when the page is not built. */
  readIndex(): Promise<string | undefined>;
  /** A file of assets/ in the best encoding that the client accepts; undefined for any other name. */
  readAsset(name: string, acceptEncoding: string | undefined): Promise<Asset | undefined>;
}

export function openWebFiles(folder: string = WEB_FOLDER): WebFiles {
  return {
    readIndex: async () => (await readIfThere(join(folder, 'index.html')))?.toString('utf8'),
    async readAsset(name, acceptEncoding) {
      const extension = ASSET.exec(name)?.groups?.extension;
      const type = extension && TYPES[extension];
      if (!type) return undefined;
      const path = join(folder, 'assets', name);
      const facts = { type, isHashed: HASHED.test(name) };
      const accepted = readEncodings(acceptEncoding);
      for (const encoding of ENCODINGS) {
        if (!accepted.has(encoding.name)) continue;
        const bytes = await readIfThere(`${path}${encoding.extension}`);
        if (bytes) return { ...facts, bytes, encoding: encoding.name };
      }
      const bytes = await readIfThere(path);
      return bytes && { ...facts, bytes };
    },
  };
}

/** The encodings that `Accept-Encoding` names without `q=0`. */
function readEncodings(header = ''): Set<string> {
  const entries = header
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()));
  const wanted = entries.filter(([, quality = '']) => !/^q=0(\.0*)?$/.test(quality));
  return new Set(wanted.map(([name = '']) => name));
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const isAbsent =
      error instanceof Error && 'code' in error && ['ENOENT', 'EISDIR', 'ENOTDIR'].includes(String(error.code));
    if (isAbsent) return undefined;
    throw error;
  }
}
