import { describe, expect, it } from 'vitest';
import type { ListedTool } from '../client/client.ts';
import { compareDefinitions, type Definition, readDefinitions } from './definitions.ts';

function buildListed(name: string, parts: Partial<ListedTool> = {}): ListedTool {
  return { name, description: `Does ${name}`, inputSchema: { type: 'object' }, ...parts };
}
const read = (...tools: ListedTool[]) => readDefinitions(tools).definitions;

describe('readDefinitions', () => {
  it('takes over name, description, schema and hints', () => {
    const inputSchema = { type: 'object' as const, properties: { path: { type: 'string' } } };
    const annotations = { readOnlyHint: true, idempotentHint: false };
    expect(readDefinitions([buildListed('read', { inputSchema, annotations })])).toEqual({
      definitions: [
        {
          name: 'read',
          serverName: 'read',
          description: 'Does read',
          inputSchema,
          readOnly: true,
          idempotent: false,
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
      refused: [],
    });
  });

  it('offers a dotted name under one that models accept', () => {
    expect(read(buildListed('files.read')).map(({ name, serverName }) => [name, serverName])).toEqual([
      ['files_read', 'files.read'],
    ]);
  });

  it('refuses every tool of a name that is listed twice, also after its dots are replaced', () => {
    const { definitions, refused } = readDefinitions([buildListed('a.b'), buildListed('a_b'), buildListed('c')]);
    const reason = 'the server lists more than one tool as a_b';
    expect([definitions.map((tool) => tool.name), refused]).toEqual([
      ['c'],
      [
        { name: 'a.b', reason },
        { name: 'a_b', reason },
      ],
    ]);
  });

  it.each([
    ['delete all', 'its name may hold only letters, digits, -, _, . and /'],
    ['раypal', 'its name may hold only letters, digits, -, _, . and /'],
    ['n'.repeat(65), 'its name is longer than 64 characters'],
  ])('refuses %s', (name, reason) => {
    expect(readDefinitions([buildListed(name)])).toEqual({ definitions: [], refused: [{ name, reason }] });
  });

  it('refuses a schema that is too deep to read, and takes the others', () => {
    const deep = JSON.parse(`${'{"type":"object","not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`);
    const { definitions, refused } = readDefinitions([buildListed('deep', { inputSchema: deep }), buildListed('good')]);
    expect([definitions.map((tool) => tool.name), refused]).toEqual([
      ['good'],
      [{ name: 'deep', reason: 'its schema is nested too deeply' }],
    ]);
  });

  it('takes the first 256 tools and says so of the rest', () => {
    const { definitions, refused } = readDefinitions(Array.from({ length: 258 }, (_, n) => buildListed(`t${n}`)));
    expect([definitions.length, refused.map((refusal) => refusal.name)]).toEqual([256, ['t256', 't257']]);
  });
});

describe('compareDefinitions', () => {
  const hashes = (definitions: readonly Definition[]) =>
    Object.fromEntries(definitions.map(({ name, fingerprint }) => [name, fingerprint]));

  it('sees no change in another order of keys', () => {
    const one = read(buildListed('a', { inputSchema: { type: 'object', properties: { x: {}, y: {} } } }));
    const other = read(buildListed('a', { inputSchema: { properties: { y: {}, x: {} }, type: 'object' } }));
    expect(compareDefinitions(hashes(one), other)).toBeUndefined();
  });

  it('names what is new, changed and gone', () => {
    const before = read(buildListed('kept'), buildListed('changed'), buildListed('gone'));
    const after = read(buildListed('kept'), buildListed('changed', { description: 'Else' }), buildListed('new'));
    expect(compareDefinitions(hashes(before), after)).toEqual({
      added: ['new'],
      changed: ['changed'],
      removed: ['gone'],
    });
  });

  it.each([
    ['a hint', { annotations: { readOnlyHint: true } }],
    ['the end of a long description', { description: `${'d'.repeat(5_000)}!` }],
    ['what it returns', { outputSchema: { type: 'object' as const } }],
  ])('sees a change of %s', (_what, parts) => {
    const before = read(buildListed('a', { description: 'd'.repeat(5_000) }));
    const after = read(buildListed('a', { description: 'd'.repeat(5_000), ...parts }));
    expect(compareDefinitions(hashes(before), after)).toEqual({ added: [], changed: ['a'], removed: [] });
  });
});
