import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildAgent } from '../../test/build.ts';
import { temporaryFolder } from '../../test/runtime.ts';
import { systemClock } from '../clock.ts';
import { inspectTools } from './tool-kinds.ts';

const ADVICE = 'The tool cannot be called until this is corrected';

/** Each file is a tool; `others` are files that tools import. */
async function check(
  files: Record<string, string>,
  parameters: object = { type: 'object' },
  others: Record<string, string> = {},
): Promise<string[]> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ ...files, ...others })) writeFileSync(join(folder, name), text);
  const tools = Object.keys(files).map((name, index) => ({
    name: `tool${index}`,
    type: 'function',
    file: join(folder, name),
    description: 'Does it.',
    parameters,
  }));
  return (await inspectTools({ ...buildAgent({ tools }), folder }, { clock: systemClock })).problems;
}

describe('inspecting functions', () => {
  it('finds nothing wrong with good files, and runs none of them', async () => {
    const files = {
      'a.ts': 'export default (a: string): string => a; process.exit(7);',
      'b.js': 'export default () => 1;',
    };
    expect(await check(files)).toEqual([]);
  });

  it('finds the lines of files that cannot be parsed', async () => {
    const files = { 'a.mts': 'type A = 1;\nexport default (a: A => a;', 'b.mjs': '\n  const a = +*' };
    expect(await check(files)).toEqual([
      expect.stringMatching(/^a\.mts:2:\d+ tools\.tool0: ./),
      `b.mjs:2:14 tools.tool1: Unexpected token '*'. ${ADVICE}`,
    ]);
  });

  it('finds exports that are not there, whatever way they would come, and runs nothing', async () => {
    const lib = 'export const other = () => 1; process.exit(7);';
    const files = {
      'a.ts': 'export const price = (a: string): string => a; process.exit(7);',
      'b.mjs': `export * from './lib.mjs'; process.exit(7);`,
      'c.cjs': 'module.exports = () => 1;',
      'd.mjs': `import './nowhere.mjs'; export default () => 1;`,
    };
    const problems = await check(files, { type: 'object' }, { 'lib.mjs': lib });
    expect(problems).toEqual([
      `a.ts tools.tool0: it has no export named default. ${ADVICE}`,
      `b.mjs tools.tool1: it has no export named default. ${ADVICE}`,
      expect.stringMatching(/^d\.mjs tools\.tool3: Cannot find module .*nowhere\.mjs/),
    ]);
  });

  it('finds parameters that are no JSON Schema', async () => {
    const problems = await check({ 'a.ts': 'export default () => 1;' }, { type: 'object', properties: 5 });
    expect(problems).toEqual([expect.stringContaining('tools.tool0.parameters: ')]);
  });
});
