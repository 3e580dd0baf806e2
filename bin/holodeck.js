#!/usr/bin/env node
// No newer syntax than Node 12 reads, such as a top-level await: an old Node must get as far as check-node.js.
import './check-node.js';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

module.enableCompileCache();
// `npm start` of a checkout runs in its root; paths are meant from the folder in which a person typed it.
const { npm_lifecycle_event: script, npm_package_json: file, INIT_CWD } = process.env;
const root = fileURLToPath(new URL('..', import.meta.url));
const isOwnStart = script === 'start' && file === join(root, 'package.json') && join(process.cwd(), sep) === root;
if (isOwnStart && INIT_CWD) process.chdir(INIT_CWD);
// A checkout runs its sources; the published package holds the bundle only.
const source = new URL('../src/cli/main.ts', import.meta.url);
import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href);
