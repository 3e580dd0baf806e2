import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '..', 'agents', 'retail', 'data');
/** The columns that name a row of each file. */
const KEYS: Record<string, readonly string[]> = {
  adjustments: ['adjustment_id'],
  carts: ['cart_id'],
  customers: ['customer_id'],
  funnel: ['funnel_date', 'channel'],
  locations: ['location_id'],
  movements: ['movement_id'],
  orders: ['order_id'],
  products: ['product_id'],
  recommendations: ['week_start', 'placement'],
  reviews: ['review_id'],
  stock: ['product_id', 'location_id'],
  stock_history: ['month', 'category', 'location_id'],
  stockouts: ['stockout_id'],
};
/** Column → the file whose key it holds. An empty field names nothing. */
const REFERENCES = {
  product_id: 'products',
  customer_id: 'customers',
  location_id: 'locations',
  from_location_id: 'locations',
  to_location_id: 'locations',
} as const;

type Row = Record<string, string>;

const read = (name: string): Row[] => parse(readFileSync(join(FOLDER, `${name}.csv`)), { columns: true });

describe('the retail data', () => {
  it('has a known key for every file', () => {
    const names = readdirSync(FOLDER).map((file) => file.replace(/\.csv$/, ''));
    expect(names.toSorted()).toEqual(Object.keys(KEYS));
  });

  it.each(Object.keys(KEYS))('has each key of %s once', (name) => {
    const keys = read(name).map((row) => (KEYS[name] ?? []).map((column) => row[column]).join('|'));
    const seen = new Set<string>();
    expect(keys.filter((key) => seen.size === seen.add(key).size)).toEqual([]);
  });

  it.each(Object.keys(KEYS))('has no row of %s that names something unknown', (name) => {
    const rows = read(name);
    const orphans = Object.entries(REFERENCES).flatMap(([column, target]) => {
      const known = new Set(read(target).map((row) => row[KEYS[target]?.[0] ?? '']));
      return rows.filter((row) => row[column] && !known.has(row[column]));
    });
    expect(orphans).toEqual([]);
  });

  it('has the stock of twelve months in a row', () => {
    const months = [...new Set(read('stock_history').map((row) => row.month))].sort();
    const { length } = read('stock_history');
    expect(months.at(0)).toBe('2024-11');
    expect(months.at(-1)).toBe('2025-10');
    expect(months).toHaveLength(12);
    expect(length).toBe(12 * 8 * 15);
  });
});
