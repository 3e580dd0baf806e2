import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../clock.ts';
import { loadWordVectors } from '../../language/word-vectors.ts';
import { loadSpace } from '../load/load-space.ts';
import { folderWith } from '../space-fixture.ts';
import { createSqlRunner } from '../sql/sql-runner.ts';
import { checkModel } from './check-model.ts';

const FILES = {
  'products.csv':
    'product_id,product,category,channel\n1,Aspen Coat,Outerwear,Store\n2,Aspen Parka,Outerwear,Web\n3,Silk Top,Tops,Web\n',
  'moves.csv': 'move_id,from_id,to_id,units,done\n1,1,2,5,1\n2,2,3,7,1\n',
  'orders.csv': 'order_id,product_id,amount,channel\n1,1,10.5,Web\n2,3,4,Phone\n',
};
const TABLES = `name: shop
title: shop
description: a shop
tables:
  products: { file: products.csv, key: product_id, label: product }
  moves:
    file: moves.csv
    key: move_id
    joins: { origin: { table: products, by: from_id, synonyms: [from] }, target: { table: products, by: to_id, synonyms: [to] } }
  orders: { file: orders.csv, key: order_id, joins: [products] }
`;

async function check(model: string) {
  const folder = folderWith({ ...FILES, 'space.yaml': TABLES + model });
  const space = await loadSpace('space.yaml', { cwd: folder });
  const runner = createSqlRunner({
    space: 'shop',
    folder: join(folder, 'databases'),
    files: space.tables,
    clock: systemClock,
  });
  onTestFinished(() => runner.close());
  const vectors = loadWordVectors();
  return checkModel(space, { runner, clock: systemClock, vectors: () => vectors });
}

describe('checkModel', () => {
  it('finds nothing in a model whose words have one meaning each', async () => {
    const report = await check(`measures:
  revenue: { sum: orders.amount, unit: USD, synonyms: [turnover] }
dimensions:
  order channel: { columns: [orders.channel] }
`);
    // A move has two products.
    const fork = 'tables.moves: product may be origin or target; a question must name the one that it means';
    expect(report).toEqual({ problems: [], warnings: [fork] });
  });

  it('proves that measures, dimensions and filters compute', async () => {
    const { problems } = await check(`measures:
  revenue: { sum: orders.price, unit: usd }
dimensions:
  colour: { columns: [products.colour] }
  city: { columns: [stores.city] }
filters:
  big: { rows: orders.size > 5 }
`);
    expect(problems).toEqual([
      'measures.revenue: no such column: t.price',
      'filters.big: no such column: t.size',
      'dimensions.colour: no such column: t.colour',
      'dimensions.city: there is no table stores',
    ]);
  });

  it('warns about a condition that holds for all rows', async () => {
    const { warnings } = await check(`filters:
  done: { columns: [moves.done], is: 1 }
`);
    expect(warnings).toContain('filters.done: holds for all of 2 moves');
  });

  it('reads every verified question and compares it with its query', async () => {
    const { problems } = await check(`measures:
  revenue: { sum: orders.amount, unit: usd }
dimensions:
  order channel: { columns: [orders.channel] }
verified:
  - ask: Which order channel has the highest revenue?
    query: { measures: [{ name: revenue }], dimensions: [order channel], order: { by: revenue, direction: highest }, limit: 1 }
  - ask: What is the revenue by order channel?
    query: { measures: [{ name: revenue }] }
  - ask: What is the flurb?
    query: { measures: [{ name: revenue }] }
`);
    expect(problems).toEqual([
      expect.stringMatching(/^verified\[1\] "What is the revenue by order channel\?": is read as ".*by order channel/),
      expect.stringContaining('verified[2] "What is the flurb?": is not understood: "flurb" is unknown'),
    ]);
  });
});
