#!/usr/bin/env node
// No newer syntax than Node 12 reads, such as a top-level await: an old Node must get as far as check-node.js.
import './check-node.js';
import { existsSync } from 'node:fs';
import module from 'node:module';

module.enableCompileCache();
// A checkout runs its sources; the published package holds the bundle only.
const source = new URL('../src/cli/main.ts', import.meta.url);
import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href);
