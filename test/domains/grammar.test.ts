import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataQuery } from '../../src/schema/data-query.ts';
import { describeResult, fewRowsOf } from '../../src/space/answer/describe-result.ts';
import { loadSpace } from '../../src/space/load/load-space.ts';
import { createModel } from '../../src/space/model/model.ts';
import { DimensionFile, MeasureFile } from '../../src/space/model/model-file.ts';
import { type Desk, openDesk } from '../data/ask-retail.ts';

/** Faults that are wrong in any text of an answer. */
const FAULTS: Readonly<Record<string, RegExp>> = {
  'two marks': /[?!,;:]\.|\.\./u,
  'doubled word': /(?<![\p{L}-])(\p{L}+) \1(?![\p{L}-])/iu,
  'double space': / {2}/,
  'space before a mark': / [.,;:?!](?!\d)/,
  'plural of one': /(?<![\d.,$-])1 (?!(?:is|was|has|across|less)\b)\p{L}+s\b/u,
  'value of the program': /\b(?:undefined|null|NaN)\b|\[object/,
};

/** The faults of an answer. Lines of lists are no sentences; tables hold names, figures and empty cells. */
function faultsOf(answer: string): string[] {
  const lines = answer.split('\n').filter((line) => line !== '' && !line.startsWith('|'));
  const text = lines.join('\n');
  const found = Object.entries(FAULTS).filter(([, pattern]) => pattern.test(text));
  const sentences = lines.filter((line) => !/^(?:- |\*\*.*\*\*$)/.test(line));
  const small = sentences.filter((line) => !/^["“]?[\p{Lu}\d$]/u.test(line)).map((line) => `begins small: ${line}`);
  const open = sentences.filter((line) => !/[.?!:]["”]?$/.test(line)).map((line) => `no end: ${line}`);
  return [...found.map(([name, pattern]) => `${name}: ${pattern.exec(text)?.[0]}`), ...small, ...open];
}

const MANAGER = readFileSync(new URL('../fixtures/routing/manager.tsv', import.meta.url), 'utf8')
  .split('\n\n')
  .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
  .map((lines) => lines.map((line) => line.split('\t')[0] ?? ''));

async function readVerified(name: string): Promise<string[][]> {
  const { file } = await loadSpace(`agents/retail/spaces/${name}.yaml`, { root: 'agents/retail' });
  return file.verified.map(({ ask }) => [ask]);
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
}, 120_000);
afterAll(() => desk.close());

describe('the English of answers over data', { timeout: 240_000 }, () => {
  it('has no fault in the answers to a shop manager and to all verified questions', async () => {
    const verified = await Promise.all(['sales', 'stock', 'reviews'].map(readVerified));
    const faults: string[] = [];
    const conversations = [...MANAGER, ...verified.flat()];
    for (const messages of conversations) {
      const conversation = {};
      for (const message of messages) {
        const { content } = await desk.ask(message, conversation);
        faults.push(...faultsOf(content).map((fault) => `${message} → ${fault}`));
      }
    }
    expect(conversations.flat().length).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  it('puts the condition of a part in brackets', async () => {
    const { content } = await desk.ask('compare online and store sales by month');
    expect(content.split('\n')[0]).toBe(
      'Revenue (not in stores) beside all the others by month, 2024-11-01 to 2025-10-31.',
    );
  });

  it.each([
    'Stock: 1 units.',
    'Revenue by by month.',
    'Is it?.',
    'It ends..',
    'Two  spaces.',
    'begins small.',
    'It has no end',
    'Sales: undefined.',
  ])('would be found at fault: %j', (text) => {
    expect(faultsOf(text)).toHaveLength(1);
  });
});

describe('numbers of one', () => {
  const model = createModel({
    name: 'shop',
    today: 'newest',
    tables: { visits: { key: 'visit_id', synonyms: [], snapshot: false, joins: [] } },
    measures: { minutes: MeasureFile.parse({ average: 'visits.minutes', unit: 'minutes', min_rows: 5 }) },
    dimensions: { city: DimensionFile.parse({ columns: ['visits.city'] }) },
    filters: {},
    verified: [],
  });
  const query = (more: object) =>
    DataQuery.parse({ measures: [{ name: 'minutes' }], dimensions: ['city'], limit: 1, ...more });
  const order = { by: 'minutes', direction: 'highest' };
  const result = (cities: readonly string[], asked: DataQuery) => ({
    query: asked,
    model,
    rows: { columns: ['city', 'minutes', 'visits'], rows: cities.map((city) => [city, 1, 1]), isCut: false },
    formats: {},
    value: 'minutes',
  });

  it('have a noun without an s', () => {
    const six = ['Rome', 'Oslo', 'Bern', 'Riga', 'Kyiv', 'Graz'];
    expect(describeResult(result(six, query({ limit: null })))).toBe(
      'Minutes by city: 1 minute each (Rome; Oslo; Bern; Riga; Kyiv and 1 other).',
    );
    expect(describeResult(result(['Rome'], query({ order, limit_within: 'city' })))).toBe(
      'Minutes, highest in each group: 1 row.',
    );
    expect(fewRowsOf(result(['Rome'], query({ order })))).toEqual({ count: 1, nouns: 'visit' });
  });
});
