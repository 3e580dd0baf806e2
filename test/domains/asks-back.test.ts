import { describe, expect, it } from 'vitest';
import { ask, retailOfFile } from './scene.ts';

const retail = retailOfFile();
const firstLine = (text: string) => text.split('\n')[0];

describe('a question that is not answered as asked', { timeout: 60_000 }, () => {
  it.each(['show me performance', 'which are best?'])('asks back which figure %j means', async (text) => {
    const { result } = await ask(retail.runtime, text);
    expect(result.content).toBe(
      'Which one do you mean?\n- revenue\n- units sold\n- stock\n- stock value\n- rating\n- complaints',
    );
    expect(result).toMatchObject({ tool_calls: [], routing: { reading: { kind: 'ask' } } });
  });

  it('is out of scope where it asks for no data', async () => {
    const { result } = await ask(retail.runtime, 'write me a poem');
    expect(result.content).toMatch(/^I can't help with that\. I can answer questions about:\n- Customer Behavior:/);
    expect(result).toMatchObject({ tool_calls: [], routing: { out_of_scope: true, identified_domains: [] } });
  });

  it.each([
    ['profit by region', 'profit', 'revenue'],
    ['Revenue by colour', 'colour', 'material'],
    ['Which city has the most orders?', 'city', 'location'],
  ])('names the measures and dimensions that are nearest to the unknown word of %j', async (text, word, nearest) => {
    const { result } = await ask(retail.runtime, text);
    const [first, offer] = result.content.split('\n\n');
    expect(first).toBe(`I do not know "${word}" in this data, and without it I would answer another question.`);
    expect(offer).toMatch(new RegExp(`^The nearest in this data: ${nearest}[,.]`));
    expect(result.tool_calls).toEqual([]);
  });

  it('offers nothing as nearest to a word that is far from all data', async () => {
    const { result } = await ask(retail.runtime, 'Revenue in rainy weather');
    expect(result.content).toMatch(/^I do not know .*question\.\n\nYou can ask, for example:/);
  });
});

describe('an answer', { timeout: 60_000 }, () => {
  it('names a rival reading that is nearly as good, in one line', async () => {
    const { result } = await ask(retail.runtime, 'How much did we sell in October?');
    expect(result.content.split('\n\n').slice(0, 3)).toEqual([
      'Revenue, from 2025-10-01 to 2025-10-31.',
      'Revenue: $254,900.',
      'It could also mean: units sold, from 2025-10-01 to 2025-10-31.',
    ]);
    expect(result.confidence).toBe('medium');
  });

  it('about "their" is about the things that a list showed, also where another space has them', async () => {
    const first = await ask(retail.runtime, 'Which products have the most orders?');
    const { result } = await ask(retail.runtime, 'and what is their stock?', first.conversationId);
    expect(firstLine(result.content)).toMatch(/^Stock by product, product Juno Trench Coat or .*, now\.$/);
    const productsOf = (call: unknown) =>
      (call as { rows: { product: string }[] }).rows.map(({ product }) => product).toSorted();
    expect(productsOf(result.tool_calls[0]?.result)).toEqual(productsOf(first.result.tool_calls[0]?.result));
    expect(result.sources).toEqual(['inventory.stock']);
  });
});
