import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildAgent } from '../../test/build.ts';
import { temporaryFolder } from '../../test/runtime.ts';
import { findToolProblems } from './check-tools.ts';

function check(files: Record<string, string>, parameters: object = { type: 'object' }): string[] {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const tools = Object.keys(files).map((name, index) => ({
    name: `tool${index}`,
    type: 'function',
    file: join(folder, name),
    description: 'Does it.',
    parameters,
  }));
  return findToolProblems({ ...buildAgent({ tools }), folder });
}

describe('findToolProblems', () => {
  it('finds nothing wrong with good files, and runs none of them', () => {
    const files = {
      'a.ts': 'export default (a: string): string => a; process.exit(7);',
      'b.js': 'export default () => 1;',
    };
    expect(check(files)).toEqual([]);
  });

  it('finds files that cannot be parsed', () => {
    const problems = check({ 'a.ts': 'export default (a: string => a', 'b.js': 'export default (' });
    expect(problems).toEqual([
      expect.stringMatching(/^a\.ts tools\.tool0: ./),
      expect.stringMatching(/^b\.js tools\.tool1: ./),
    ]);
  });

  it('finds parameters that are no JSON Schema', () => {
    const problems = check({ 'a.ts': 'export default () => 1;' }, { type: 'object', properties: 5 });
    expect(problems).toEqual([expect.stringContaining('tools.tool0.parameters: ')]);
  });
});
