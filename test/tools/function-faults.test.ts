import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { startProgram, writeAgent } from './program.ts';

const PRICE = `interface Asked { product: string }
export default ({ product }: Asked) => { throw new Error(\`no price for \${product}\`); };
`;

function writeShop(): string {
  const price = {
    name: 'price',
    type: 'function',
    file: 'price.ts',
    description: 'The price of a product',
    parameters: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] },
  };
  const intents = { ask_price: { tool: 'price', examples: ['what does a lamp cost?'], keywords: ['cost'] } };
  return writeAgent({ tools: [price], intents }, { 'price.ts': PRICE });
}

const QUESTION = 'what does a lamp cost?';
const faultIn = (folder: string) =>
  `price.ts:2 Error: no price for lamp (log: ${join(folder, '.holodeck/holodeck.log')})`;

describe('a function that throws', () => {
  it('shows its author file, line, message and the log in run', async () => {
    const folder = writeShop();
    const { ended, stdout, stderr } = startProgram(folder, ['run', 'agent.yaml', QUESTION], '');
    await ended;
    expect(stderr()).toContain(faultIn(folder));
    expect(stdout()).not.toContain('price.ts');
    expect(readFileSync(join(folder, '.holodeck/holodeck.log'), 'utf8')).toContain('no price for lamp');
  });

  it('shows them in chat', async () => {
    const folder = writeShop();
    const { ended, stderr } = startProgram(folder, ['chat', 'agent.yaml'], `${QUESTION}\n`);
    await ended;
    expect(stderr()).toContain(faultIn(folder));
  });

  it('shows them where serve runs, and nothing of them over HTTP', async () => {
    const folder = writeShop();
    const port = await freePort();
    const { stdout, stderr } = startProgram(folder, ['serve', 'agent.yaml', '-p', String(port)]);
    await expect.poll(stdout).toContain('HoloDeck serves');
    const body = JSON.stringify({ message: QUESTION });
    const headers = { 'content-type': 'application/json' };
    const base = `http://127.0.0.1:${port}/agent/helper`;
    const answers = [
      await (await fetch(`${base}/chat`, { method: 'POST', headers, body })).text(),
      await (await fetch(`${base}/chat/stream`, { method: 'POST', headers, body })).text(),
      await (await fetch(`${base}/tools`)).text(),
    ];
    expect(answers[0]).toContain('price failed unexpectedly');
    expect(answers.join()).not.toMatch(/no price|price\.ts|holodeck\.log/);
    expect(stderr()).toContain(faultIn(folder));
  });
});

describe('run code', () => {
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
});
