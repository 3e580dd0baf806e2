import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { fileFromBytes } from '../../src/runtime/files/attached-file.ts';
import { runAgent } from '../../src/runtime/run-agent.ts';
import { ALICE, buildAgent } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';

const note = (text: string, name = 'note.txt') => fileFromBytes(name, 'text/plain', Buffer.from(text));

function begin(files: ReturnType<typeof note>[], replies: Parameters<typeof createScriptedModel>[0]) {
  const model = createScriptedModel(replies);
  const agent = buildAgent({ limits: { tool_output_chars: 1_000 } });
  return { model, turn: runAgent({ agent, user: ALICE, message: 'Read', files, model, folder: temporaryFolder() }) };
}

async function collectTurn(turn: ReturnType<typeof runAgent>) {
  const types: string[] = [];
  for (;;) {
    const next = await turn.next();
    if (next.done) return { types, result: next.value };
    types.push(next.value.type);
  }
}

describe('runAgent with files', () => {
  it('gives each its verdict before the model reads their text', async () => {
    let discarded = 0;
    const discard = async () => void discarded++;
    const files = [{ ...note('The code is 4711.', 'a/"b".txt'), discard }, note('\0\0')];
    const { turn, model } = begin(files, ['It is 4711.']);
    const { types, result } = await collectTurn(turn);
    expect(types.filter((type) => type === 'turn-start' || type === 'file')).toEqual(['turn-start', 'file', 'file']);
    expect(result.files).toEqual([
      { filename: 'b.txt', mime_type: 'text/plain', verdict: 'read', detail: '1 line, 17 characters' },
      { filename: 'note.txt', mime_type: 'text/plain', verdict: 'refused', detail: 'is not text: it holds zero bytes' },
    ]);
    expect(model.requests[0]?.messages[0]?.content).toContain('\nThe code is 4711.\n[End of file 1]');
    expect(result.messages[0]?.content).toBe('Read');
    expect(discarded).toBe(1);
  });

  it('offers the rest of a long one through read_attachment', async () => {
    const find = { name: 'read_attachment', arguments: { find: 'treasure' } };
    const { turn } = begin([note(`${'word '.repeat(1_000)}the treasure`)], [{ calls: [find] }, 'Found.']);
    const { result } = await collectTurn(turn);
    expect(result.tool_calls[0]?.result).toMatchObject({ passages: [{ offset: 5_004 }] });
  });

  it('refuses more than ten before anything is asked', async () => {
    const { turn, model } = begin(Array(11).fill(note('x')), ['Never.']);
    await expect(turn.next()).rejects.toMatchObject({ code: 'invalid_request' });
    expect(model.requests).toEqual([]);
  });
});
