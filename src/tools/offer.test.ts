import { describe, expect, it } from 'vitest';
import { hashDefinition, offerTools } from './offer.ts';
import type { Tool } from './tool.ts';

const inputSchema = { type: 'object', properties: {} };
function makeTool(name: string, about: Partial<Tool> = {}): Tool {
  return { name, description: 'Does it', inputSchema, source: 'notes', run: async () => ({ result: null }), ...about };
}

describe('offerTools', () => {
  it('offers each tool under its name, as the model sees it', () => {
    const tool = makeTool('add_note');
    const { offered, refusals } = offerTools([tool]);
    const definition = { name: 'add_note', description: 'Does it', inputSchema };
    expect([...offered]).toEqual([['add_note', { tool, definition, fill: expect.any(Function) }]]);
    expect(refusals).toEqual([]);
  });

  it.each(['add_note', 'Add_Note', 'add-note', 'addNote', 'addnote'])('refuses %s beside add_note', (name) => {
    const { offered, refusals } = offerTools([makeTool('add_note'), makeTool(name, { source: 'other' })]);
    expect([...offered.keys()]).toEqual(['add_note']);
    expect(refusals).toEqual([
      {
        tool: name,
        source: 'other',
        isClash: true,
        reason: 'its name is taken by, or looks like, add_note of notes; set prefix on the tools entry other or notes',
      },
    ]);
  });

  it.each(['', 'a b', 'a.b', 'ａdd', 'x'.repeat(65), 'a\n'])('refuses the name %j', (name) => {
    const reason = 'its name must be 1 to 64 letters, digits, - and _';
    expect(offerTools([makeTool(name)]).refusals).toEqual([{ tool: name, source: 'notes', reason }]);
  });

  it('keeps a refused tool from taking a name', () => {
    const bad = makeTool('add', { bind: { user_id: '$user.id' } });
    const good = makeTool('add', { source: 'other' });
    const { offered, refusals } = offerTools([bad, good]);
    expect(offered.get('add')?.tool).toBe(good);
    expect(refusals).toEqual([{ tool: 'add', source: 'notes', reason: 'it does not take user_id' }]);
  });

  it('offers a tool that lacks a bound argument only if allowed', () => {
    const tool = makeTool('time', { bind: { user_id: '$user.id' } });
    expect([...offerTools([tool], { mayLackBound: ({ name }) => name === 'time' }).offered.keys()]).toEqual(['time']);
  });

  it('removes hidden characters from the text that the model reads', () => {
    const hidden = 'Adds\u{e0041}\u202e';
    const schema = { properties: { a: { description: hidden, title: hidden, const: hidden } }, description: hidden };
    const { offered } = offerTools([makeTool('add', { description: hidden, inputSchema: schema })]);
    expect(offered.get('add')?.definition).toEqual({
      name: 'add',
      description: 'Adds',
      inputSchema: { properties: { a: { description: 'Adds', title: 'Adds', const: hidden } }, description: 'Adds' },
    });
  });
});

describe('hashDefinition', () => {
  it('changes with every part of the definition, and not with anything else', () => {
    const variants: Partial<Tool>[] = [
      { name: 'b' },
      { description: 'Other' },
      { inputSchema: {} },
      { source: 'other' },
      { bind: { user_id: '$user.id' } },
    ];
    const hashes = variants.map((about) => hashDefinition(makeTool('a', about)));
    expect(new Set([hashDefinition(makeTool('a')), ...hashes]).size).toBe(variants.length + 1);
    expect(hashDefinition(makeTool('a', { readOnly: true }))).toBe(hashDefinition(makeTool('a')));
  });
});
