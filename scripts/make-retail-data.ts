/** Writes the CSV files of agents/retail: invented, plausible, and the same every time. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createChance } from './retail-chance.ts';
import { type Customer, makeCustomers, PRODUCTS, type Product } from './retail-people-and-products.ts';
import { makeReviews } from './retail-reviews.ts';
import { makeStock } from './retail-stock.ts';

const FOLDER = new URL('../agents/retail/data/', import.meta.url);
const LAST_DAY = Date.UTC(2025, 9, 31);
const DAYS = 365;
const CHANNELS = ['Store', 'Website', 'Mobile App', 'Social'];
const CAMPAIGNS = ['Email reminder', 'Discount code', 'Text message', 'Retargeting ad'];

export interface World {
  chance: ReturnType<typeof createChance>;
  products: readonly Product[];
  customers: readonly Customer[];
  /** The date this many days before the last day. */
  day(before: number): string;
  days: number;
}

const chance = createChance(20_251_031);
const day = (before: number) => new Date(LAST_DAY - before * 86_400_000).toISOString().slice(0, 10);
const customers = makeCustomers(chance, day);
const world: World = { chance, products: PRODUCTS, customers, day, days: DAYS };

mkdirSync(FOLDER, { recursive: true });
const orders = makeOrders(world);
write(
  'products',
  PRODUCTS.map(({ popularity: _popularity, abandon_rate: _rate, ...product }) => product),
);
write(
  'customers',
  customers.map(({ order_count: _count, favourite: _favourite, ...customer }) => ({
    ...customer,
    ...summarize(customer),
  })),
);
write('orders', orders);
write('carts', makeCarts(world));
write('funnel', makeFunnel(world));
write('recommendations', makeRecommendations(world));
for (const [name, rows] of Object.entries(makeStock(world))) write(name, rows);
write('reviews', makeReviews(world));

type Row = Record<string, string | number>;

function write(name: string, rows: readonly object[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => quote((row as Row)[column] ?? '')).join(','));
  writeFileSync(new URL(`${name}.csv`, FOLDER), `${[columns.join(','), ...lines].join('\n')}\n`);
  console.log(`${name}.csv  ${rows.length} rows`);
}

function quote(value: string | number): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function makeOrders({ chance, products, customers, day, days }: World): Row[] {
  const rows: Row[] = [];
  for (const customer of customers) {
    for (let count = 0; count < customer.order_count; count++) {
      const product = chance.weighted(
        products,
        (one) => one.popularity * (one.category === customer.favourite ? 4 : 1),
      );
      const before = Math.min(
        days - 1,
        customer.days_since_order +
          Math.floor(chance.number() ** 1.3 * (days - customer.days_since_order) * (count === 0 ? 0 : 1)),
      );
      const quantity = chance.number() < 0.18 ? 2 : 1;
      const isPreferred = chance.number() < 0.7;
      const channel = isPreferred ? customer.preferred_channel : chance.pick(CHANNELS);
      rows.push({
        order_id: rows.length + 1,
        customer_id: customer.customer_id,
        product_id: product.product_id,
        order_date: day(before),
        channel,
        quantity,
        amount: (product.price * quantity * (chance.number() < 0.2 ? 0.85 : 1)).toFixed(2),
      });
    }
  }
  return rows;
}

/** Computes the order columns of the customers table from the orders, so that both agree. */
function summarize({ customer_id }: Pick<Customer, 'customer_id'>): Row {
  const own = orders.filter((order) => order.customer_id === customer_id);
  const spent = own.reduce((sum, order) => sum + Number(order.amount), 0);
  const dates = own.map((order) => String(order.order_date)).sort();
  return { orders: own.length, total_spent: spent.toFixed(2), last_order_date: dates.at(-1) ?? '' };
}

function makeCarts({ chance, products, customers, day, days }: World): Row[] {
  return Array.from({ length: 12_000 }, (_, index) => {
    const product = chance.weighted(products, (one) => one.popularity);
    const isAbandoned = chance.number() < product.abandon_rate;
    const campaign = isAbandoned && chance.number() < 0.6 ? chance.pick(CAMPAIGNS) : '';
    const recovery = 0.08 + 0.05 * CAMPAIGNS.indexOf(campaign);
    return {
      cart_id: index + 1,
      customer_id: chance.pick(customers).customer_id,
      product_id: product.product_id,
      cart_date: day(chance.whole(0, days - 1)),
      cart_value: (product.price * (1 + chance.number() * 0.6)).toFixed(2),
      is_abandoned: Number(isAbandoned),
      campaign,
      is_recovered: Number(campaign !== '' && chance.number() < recovery),
    };
  });
}

function makeFunnel({ chance, day, days }: World): Row[] {
  return Array.from({ length: days }, (_, before) => before).flatMap((before) =>
    CHANNELS.slice(1).map((channel, place) => {
      const visits = Math.round((900 - place * 220) * (0.8 + chance.number() * 0.4));
      const views = Math.round(visits * (0.55 + chance.number() * 0.1));
      const carts = Math.round(views * (0.2 + chance.number() * 0.05));
      const checkouts = Math.round(carts * (0.45 + chance.number() * 0.1));
      const purchases = Math.round(checkouts * (0.62 + chance.number() * 0.1));
      return { funnel_date: day(before), channel, visits, product_views: views, carts, checkouts, purchases };
    }),
  );
}

function makeRecommendations({ chance, day }: World): Row[] {
  const places = ['Home page', 'Product page', 'Cart page', 'Email'];
  return Array.from({ length: 52 }, (_, week) => week).flatMap((week) =>
    places.map((placement, place) => {
      const shown = chance.whole(4_000, 9_000);
      const clicked = Math.round(shown * (0.05 + place * 0.012 + chance.number() * 0.01));
      const purchased = Math.round(clicked * (0.09 + chance.number() * 0.05));
      return {
        week_start: day(week * 7 + 6),
        placement,
        shown,
        clicked,
        purchased,
        revenue: purchased * chance.whole(55, 95),
      };
    }),
  );
}
