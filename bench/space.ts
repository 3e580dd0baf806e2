/**
 * Measures a space over a million rows with the real command: the first question loads the file in a child process
 * while the server stays responsive, later ones are answered from the loaded database. Linux only (memory is read from
 * /proc). Run: npm run bench -- space [1000000]
 */
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createChance } from '../scripts/retail-chance.ts';
import { row, watchServer } from './files/report.ts';
import { serveAgent } from './files/server.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const PRODUCTS = 200;
const QUESTION = 'What is the revenue for each product?';

const AGENT = `name: shop
instructions: Answer.
domains:
  - name: sales
    display_name: Sales
    description: sales
    capabilities: [Revenue of sales by product and region]
    mcp_tools: [query_space_sales]
tools:
  - { name: sales, type: mcp, transport: builtin, server: space, file: space.yaml }
`;
const SPACE = `name: sales
title: sales
description: sales by product and region
tables:
  products: { file: products.csv, key: product_id, label: product, names: [product] }
  sales:
    file: sales.csv
    key: sale_id
    names: [sale]
    time: day
    indexes: [[product_id, amount]]
    joins: { product: products.product_id }
measures:
  revenue: { sum: sales.amount, unit: usd, good: up }
dimensions:
  region: { columns: [sales.region] }
`;

const folder = mkdtempSync(join(tmpdir(), 'holodeck-bench-space-'));
const data = join(folder, 'data');
const floor = { loadMs: 0, askMs: 0 };
try {
  await writeFiles();
  measureFloor();
  await measureFirst();
  await measureAgain();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function writeFiles(): Promise<void> {
  writeFileSync(join(folder, 'agent.yaml'), AGENT);
  writeFileSync(join(folder, 'space.yaml'), SPACE);
  const products = Array.from({ length: PRODUCTS }, (_, index) => `${index + 1},Product ${index + 1}`);
  writeFileSync(join(folder, 'products.csv'), `product_id,product\n${products.join('\n')}\n`);
  const chance = createChance(1);
  const file = createWriteStream(join(folder, 'sales.csv'));
  file.write('sale_id,product_id,day,region,quantity,amount\n');
  for (let at = 1; at <= ROWS; at++) {
    const day = `2025-${String(chance.whole(1, 12)).padStart(2, '0')}-${String(chance.whole(1, 28)).padStart(2, '0')}`;
    const line = `${at},${chance.whole(1, PRODUCTS)},${day},${chance.pick(['North', 'South'])},${chance.whole(1, 9)},${(chance.number() * 200).toFixed(2)}\n`;
    if (!file.write(line)) await once(file, 'drain');
  }
  await new Promise<void>((resolve) => file.end(() => resolve()));
}

/**
 * The least that any loader needs: the same lines split at commas and inserted by node:sqlite in one transaction, then
 * grouped. A busy machine slows both sides, so the ratio is the number to look at.
 */
function measureFloor(): void {
  const started = performance.now();
  const database = new DatabaseSync(join(folder, 'floor.db'));
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
  database.exec('CREATE TABLE sales (sale_id INTEGER, product_id INTEGER, day, region, quantity INTEGER, amount REAL)');
  const insert = database.prepare('INSERT INTO sales VALUES (?, ?, ?, ?, ?, ?)');
  const lines = readFileSync(join(folder, 'sales.csv'), 'utf8').split('\n');
  for (const line of lines.slice(1)) if (line !== '') insert.run(...line.split(','));
  database.exec('COMMIT');
  floor.loadMs = performance.now() - started;
  const asked = performance.now();
  database.prepare('SELECT product_id, sum(amount) FROM sales GROUP BY product_id').all();
  floor.askMs = performance.now() - asked;
  database.close();
  console.log(`floor: node:sqlite alone ${floor.loadMs.toFixed(0)} ms to load, ${floor.askMs.toFixed(0)} ms to group`);
}

function printRatio(ms: number, floorMs: number): void {
  console.log(`    ${(ms / floorMs).toFixed(1)} times the floor`);
}

async function measureFirst(): Promise<void> {
  const started = performance.now();
  const server = await serveAgent({ file: join(folder, 'agent.yaml'), data });
  row('server ready', performance.now() - started, { below: 2_000 });
  const before = server.memory();
  const watch = watchServer(server);
  const first = await server.ask('shop', QUESTION);
  const { peak, healthMs } = watch.end();
  row(`${ROWS.toLocaleString('en-US')} rows loaded, first question answered`, first.ms, { below: 15_000 });
  printRatio(first.ms, floor.loadMs);
  row('  memory of the load', peak.resident - before.resident, { below: 500, unit: 'MB' });
  row('  health meanwhile, p99', healthMs, { below: 500 });
  console.log(`    ${first.content.split('\n')[0]}`);
  const again = await server.ask('shop', QUESTION);
  row('the same question again', again.ms, { below: 1_000 });
  printRatio(again.ms, floor.askMs);
  await server.stop();
}

async function measureAgain(): Promise<void> {
  const server = await serveAgent({ file: join(folder, 'agent.yaml'), data });
  const { ms } = await server.ask('shop', QUESTION);
  row('the first question after a restart: the database is kept', ms, { below: 5_000 });
  await server.stop();
}
