import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../runtime.ts';

const COMMAND = join(import.meta.dirname, '..', '..', 'bin', 'holodeck.js');
const holodeck = (...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, ...args], { env: { ...process.env, NO_COLOR: '1' } });

const CUSTOMERS = 'CUSTOMER_ID,CUSTOMER_NAME,REGION\n1,Acme,North\n2,Birch,South\n3,Cedar,North\n';
const ORDERS = `ORDER_ID,CUSTOMER_ID,ORDER_DATE,SHIP_DATE,STATUS,QUANTITY,UNIT_PRICE,AMOUNT_EUR
1,1,2025-09-01,2025-09-02,Open,2,10,20
2,2,2025-09-03,2025-09-04,Closed,1,30,30
3,3,2025-10-01,2025-10-05,Closed,4,15,60
4,1,2025-10-02,2025-10-03,Open,1,5,5
`;

const SNOWFLAKE = `name: SALES_VIEW
description: Orders and customers
tables:
  - name: CUSTOMERS
    description: One row per customer
    base_table: { database: SHOP, schema: PUBLIC, table: CUSTOMERS }
    primary_key: { columns: [CUSTOMER_ID] }
    synonyms: [clients]
    dimensions:
      - { name: CUSTOMER_ID, expr: CUSTOMER_ID, data_type: NUMBER }
      - { name: CUSTOMER_NAME, expr: CUSTOMER_NAME, data_type: VARCHAR, unique: true }
      - name: SALES_REGION
        synonyms: [area, territory]
        expr: REGION
        data_type: VARCHAR
        cortex_search_service: { service: regions }
  - name: ORDERS
    base_table: { database: SHOP, schema: PUBLIC, table: ORDERS }
    primary_key: { columns: [ORDER_ID] }
    time_dimensions:
      - { name: ORDER_DATE, expr: ORDER_DATE, data_type: DATE }
      - { name: SHIP_DATE, expr: SHIP_DATE, data_type: DATE }
    dimensions:
      - { name: STATUS, expr: STATUS, synonyms: [state], is_enum: true }
      - { name: SIZE_CLASS, expr: "CASE WHEN QUANTITY > 3 THEN 'big' ELSE 'small' END" }
    facts:
      - { name: LINE_VALUE, expr: QUANTITY * UNIT_PRICE, access_modifier: private_access }
      - { name: UNITS, expr: QUANTITY, synonyms: [pieces] }
    metrics:
      - { name: REVENUE, expr: SUM(AMOUNT_EUR), synonyms: [sales, Turnover] }
      - { name: LIST_VALUE, expr: SUM(ORDERS.LINE_VALUE) }
      - { name: ORDER_COUNT, expr: COUNT(DISTINCT ORDER_ID) }
      - { name: PRICE_PER_UNIT, expr: "SUM(AMOUNT_EUR) / NULLIF(SUM(QUANTITY), 0)" }
      - { name: MEDIAN_VALUE, expr: MEDIAN(AMOUNT_EUR) }
    filters:
      - { name: open_orders, expr: STATUS = 'Open', synonyms: [unfinished] }
      - { name: large_orders, expr: QUANTITY > 3 }
      - { name: recent, expr: "ORDER_DATE > DATEADD(day, -30, CURRENT_DATE)" }
relationships:
  - name: orders_to_customers
    left_table: ORDERS
    right_table: CUSTOMERS
    relationship_columns: [{ left_column: CUSTOMER_ID, right_column: CUSTOMER_ID }]
    join_type: inner
    relationship_type: many_to_one
metrics:
  - { name: REVENUE_PER_CUSTOMER, expr: ORDERS.REVENUE / CUSTOMERS.CUSTOMER_COUNT }
verified_queries:
  - name: status_list
    question: Which orders are in which state right now?
    sql: SELECT STATUS, COUNT(*) AS orders_there FROM SHOP.PUBLIC.ORDERS GROUP BY STATUS ORDER BY STATUS
    verified_at: 1714497970
    verified_by: Ann
  - { name: monthly, question: Revenue by month, sql: "SELECT DATE_TRUNC('month', ORDER_DATE), SUM(AMOUNT_EUR) FROM __orders GROUP BY 1" }
custom_instructions: Round to two digits.
`;

const OSI = `version: 0.2.0
semantic_model:
  - name: shop_model
    description: Orders of a shop
    ai_context: Use it for sales.
    datasets:
      - name: orders
        source: shop.public.orders
        primary_key: [order_id]
        ai_context: { synonyms: [purchase] }
        fields:
          - name: order_date
            expression: { dialects: [{ dialect: ANSI_SQL, expression: order_date }] }
            dimension: { is_time: true }
          - name: status
            expression: { dialects: [{ dialect: SNOWFLAKE, expression: UPPER(status) }, { dialect: ANSI_SQL, expression: status }] }
            dimension: {}
            ai_context: { synonyms: [state] }
          - name: quantity
            expression: { dialects: [{ dialect: ANSI_SQL, expression: quantity }] }
            datatype: Integer
          - { name: unit_price, expression: unit_price }
          - { name: label_text, expression: "status || '!'" }
      - name: customers
        source: shop.public.customers
        primary_key: [customer_id]
        fields:
          - { name: region, expression: { dialects: [{ dialect: ANSI_SQL, expression: region }] }, datatype: String }
      - { name: returns, source: shop.public.returns }
    relationships:
      - { name: order_customer, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id] }
    metrics:
      - name: total_sales
        expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(orders.amount_eur) }] }
        ai_context: { synonyms: [revenue] }
      - name: sales_per_customer
        expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(orders.amount_eur) / COUNT(DISTINCT customers.customer_id) }] }
    custom_extensions: [{ vendor_name: DBT, data: "{}" }]
`;

async function importModel(text: string) {
  const folder = temporaryFolder();
  const files = { 'model.yaml': text, 'customers.csv': CUSTOMERS, 'Orders.csv': ORDERS };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const { stdout, stderr } = await holodeck('space', 'import', join(folder, 'model.yaml'));
  const lost = stderr.split('\n').flatMap((line) => /^not imported: (.+)$/.exec(line)?.[1] ?? []);
  const space = parse(readFileSync(join(folder, 'space.yaml'), 'utf8'));
  const ask = async (question: string) => (await holodeck('run', join(folder, 'agent.yaml'), question)).stdout;
  return { stdout, lost, space, ask };
}

describe('holodeck space import', { timeout: 120_000 }, () => {
  it('reads the plain part of a Snowflake semantic view and names the rest', async () => {
    const { stdout, lost, space, ask } = await importModel(SNOWFLAKE);
    expect(stdout).toContain('wrote space.yaml and agent.yaml: 2 tables with 7 rows');
    expect(space).toEqual({
      name: 'sales_view',
      title: 'sales view',
      description: 'Orders and customers',
      tables: {
        customers: {
          file: 'customers.csv',
          key: 'CUSTOMER_ID',
          label: 'CUSTOMER_NAME',
          synonyms: ['clients'],
        },
        orders: {
          file: 'Orders.csv',
          key: 'ORDER_ID',
          time: 'ORDER_DATE',
          joins: { customers: { table: 'customers', by: 'CUSTOMER_ID' } },
        },
      },
      measures: {
        revenue: { sum: 'orders.AMOUNT_EUR', unit: 'EUR', synonyms: ['sales', 'turnover'] },
        'list value': { sum: 'orders.QUANTITY * orders.UNIT_PRICE', unit: 'money' },
        'order count': { count: 'orders', unit: 'orders' },
        'price per unit': { ratio: ['orders.AMOUNT_EUR', 'orders.QUANTITY'], unit: 'EUR' },
      },
      dimensions: {
        'sales region': { columns: ['customers.REGION'], synonyms: ['area', 'territory'] },
        status: { columns: ['orders.STATUS'], synonyms: ['state'] },
      },
      filters: {
        'open orders': { columns: ['orders.STATUS'], is: 'Open', synonyms: ['unfinished'] },
        'large orders': { rows: 'orders.QUANTITY > 3' },
      },
    });
    expect(lost).toEqual([
      'CUSTOMERS.SALES_REGION.cortex_search_service',
      'custom_instructions',
      'orders.ship_date (a table has one date)',
      'orders.median_value',
      'revenue_per_customer',
      'orders.line_value',
      'orders.size_class',
      'orders.recent',
      'verified query status_list (it is SQL)',
      'verified query monthly (it is SQL)',
    ]);
    expect(await ask('turnover by area')).toContain('North has the most with €85');
  });

  it('reads the plain part of an Open Semantic Interchange model and names the rest', async () => {
    const { lost, space, ask } = await importModel(OSI);
    expect(space).toMatchObject({
      name: 'shop_model',
      tables: {
        orders: { key: 'ORDER_ID', time: 'ORDER_DATE', synonyms: ['purchase'] },
        customers: { key: 'CUSTOMER_ID' },
      },
      measures: {
        'total sales': { sum: 'orders.AMOUNT_EUR', unit: 'EUR', synonyms: ['revenue'] },
        quantity: { sum: 'orders.QUANTITY', unit: 'units' },
        'unit price': { average: 'orders.UNIT_PRICE' },
      },
      dimensions: {
        status: { columns: ['orders.STATUS'], synonyms: ['state'] },
        region: { columns: ['customers.REGION'] },
      },
    });
    expect(lost).toEqual([
      'custom_extensions',
      'returns (there is no returns.csv)',
      'sales_per_customer',
      'orders.label_text',
    ]);
    expect(await ask('revenue by region')).toContain('North has the most with €85');
  });

  it('refuses a file of another kind, and never overwrites one', async () => {
    await expect(importModel('name: x\n')).rejects.toMatchObject({
      stderr: expect.stringContaining('not a Snowflake semantic view and no Open Semantic Interchange model'),
    });
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'model.yaml'), SNOWFLAKE);
    writeFileSync(join(folder, 'agent.yaml'), 'mine');
    await expect(holodeck('space', 'import', join(folder, 'model.yaml'))).rejects.toMatchObject({
      stderr: expect.stringContaining('agent.yaml already exists, and nothing is overwritten.'),
    });
  });
});
