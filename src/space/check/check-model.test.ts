import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
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

async function check(model: string, files: Record<string, string> = {}) {
  const folder = folderWith({ ...FILES, 'space.yaml': TABLES + model, ...files });
  const space = await loadSpace('space.yaml', { cwd: folder });
  const runner = createSqlRunner({
    space: 'shop',
    folder: join(folder, 'databases'),
    files: space.tables,
    prove: space.prove,
    clock: systemClock,
  });
  onTestFinished(() => runner.close());
  const vectors = loadWordVectors();
  return checkModel(space, { runner, clock: systemClock, vectors: () => vectors });
}

/** The problems with which a space file is refused. */
async function refusals(text: string, files: Record<string, string> = {}): Promise<string[]> {
  const error: unknown = await check('', { 'space.yaml': text, ...files }).catch((reason: unknown) => reason);
  return error instanceof AppError ? error.message.split('\n') : [String(error)];
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

  it('refuses names of columns and tables that do not exist, with their places', async () => {
    const columns = TABLES.replace('key: move_id', 'key: moved_id\n    time: day\n    indexes: [[from]]')
      .replace('by: to_id', 'by: two_id')
      .concat(`measures:
  revenue: { sum: orders.amount * orders.price, unit: USD }
  web orders: { count: orders, where: { Chanel: Web }, unit: orders }
  unit price: { ratio: [orders.Amount, orders.amounts], unit: USD }
dimensions:
  colour: { columns: [products.category, products.colour] }
filters:
  big: { rows: orders.size > 5 }
  small: { of: products, where: sum(orders.amont) < 3 }
`);
    expect(await refusals(columns)).toEqual([
      'space.yaml:8:10 tables.moves.key: moves has no column moved_id, did you mean move_id?',
      'space.yaml:9:11 tables.moves.time: moves has no column day; known here: move_id, from_id, to_id, units, done',
      'space.yaml:10:14 tables.moves.indexes: moves has no column from; known here: move_id, from_id, to_id, units, done',
      'space.yaml:11:82 tables.moves.joins.target: moves has no column two_id, did you mean to_id?',
      'space.yaml:14:19 measures.revenue.sum: orders has no column price; known here: order_id, product_id, amount, channel',
      'space.yaml:15:49 measures."web orders".where.Chanel: orders has no column Chanel, did you mean channel?',
      'space.yaml:16:40 measures."unit price".ratio[1]: orders has no column amounts, did you mean amount?',
      'space.yaml:18:42 dimensions.colour.columns[1]: products has no column colour; known here: product_id, product, category, channel',
      'space.yaml:20:16 filters.big.rows: orders has no column size; known here: order_id, product_id, amount, channel',
      'space.yaml:21:33 filters.small.where: orders has no column amont, did you mean amount?',
    ]);
    const tables = TABLES.replace('joins: [products]', 'joins: [product]').concat(`measures:
  orders made: { count: order, unit: orders }
dimensions:
  city: { columns: [stores.city] }
filters:
  big: { of: product, where: sum(orders.amount) > 3 }
`);
    expect(await refusals(tables)).toEqual([
      'space.yaml:10:54 tables.orders.joins[0]: there is no table product, did you mean products?',
      'space.yaml:12:25 measures."orders made".count: there is no table order, did you mean orders?',
      'space.yaml:14:21 dimensions.city.columns[0]: there is no table stores; known here: products, moves, orders',
      'space.yaml:16:14 filters.big.of: there is no table product, did you mean products?',
    ]);
  });

  it('refuses figures of texts and dates, and lets dates be compared', async () => {
    const advice =
      'holds texts or dates, which give no figure; take a column of numbers, or count rows with count: orders';
    const model = `measures:
  last order: { highest: orders.day, unit: date }
  channels: { sum: orders.channel, unit: units }
  gifts: { sum: orders.gift, unit: units }
filters:
  late: { rows: orders.day > orders.due }
  new: { rows: orders.day > 2025 }
`;
    const orders =
      'order_id,product_id,amount,channel,day,due,gift\n1,1,10.5,Web,2026-01-02,2026-01-01,\n2,3,4,Phone,2026-01-03,2026-01-04,\n';
    expect(await refusals(TABLES + model, { 'orders.csv': orders })).toEqual([
      `space.yaml:12:26 measures."last order".highest: orders.day ${advice}`,
      `space.yaml:13:20 measures.channels.sum: orders.channel ${advice}`,
      `space.yaml:17:16 filters.new.rows: orders.day ${advice}`,
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
