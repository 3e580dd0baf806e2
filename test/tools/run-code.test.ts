import { describe, expect, it } from 'vitest';
import { startProgram, writeAgent } from './program.ts';

const PRICE = { name: 'price', type: 'function', file: 'price.mjs', description: 'The price of an article.' };
const INTENTS = { price: { tool: 'price', examples: ['what does tea cost?'], keywords: ['cost'] } };

async function ask(code: string) {
  const folder = writeAgent({ tools: [PRICE], intents: INTENTS }, { 'price.mjs': code });
  const { ended, stdout } = startProgram(folder, ['run', '-q', 'agent.yaml', 'what does tea cost?'], '');
  return { code: await ended, stdout: stdout() };
}

describe('the exit code of holodeck run', () => {
  it('is 3 if the only call failed because its tool is not set up', async () => {
    const { code, stdout } = await ask("import './not-installed.mjs'; export default () => 1;");
    expect([code, stdout]).toEqual([3, expect.stringContaining('price cannot be used')]);
  });

  it('is 0 if the tool itself refused, which is an answer', async () => {
    const { code } = await ask("export default () => { throw new Error('Tea is sold out.'); };");
    expect(code).toBe(0);
  });
});
