/** Builds the published package: one bundle of the command and the library, the page, and the types. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { buildProgram } from './build-program.ts';
import { buildWeb } from './build-web.ts';
import { keepPublicTypes } from './keep-public-types.ts';
import { writeLicenses } from './write-licenses.ts';

rmSync('dist', { recursive: true, force: true });
const { bundles, copied } = await buildProgram();
const page = await buildWeb();
writeLicenses('dist/LICENSES.txt', bundles, [...copied, ...page]);
execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
keepPublicTypes('dist/types', ['index.d.ts', 'schema/index.d.ts']);
