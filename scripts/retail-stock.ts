import type { World } from './make-retail-data.ts';

type Row = Record<string, string | number>;

const PLACES = [
  ...['North', 'South', 'East'].map((region) => ({ location: `${region} Warehouse`, kind: 'Warehouse', region })),
  ...[
    'Harbor Street',
    'Old Town',
    'Riverside',
    'Grand Mall',
    'Station',
    'Airport',
    'Parkview',
    'Lakeside',
    'Market Hall',
    'Hillside',
    'West End',
    'Outlet Village',
  ].map((name, index) => ({
    location: `${name} Store`,
    kind: 'Store',
    region: ['North', 'South', 'East', 'West'][index % 4] ?? '',
  })),
];
const LOCATIONS = PLACES.map((place, index) => ({ location_id: index + 1, ...place }));
const SCHEDULES = ['Daily', 'Weekly', 'Weekly', 'Every two weeks', ''];
const REASONS = ['Count correction', 'Damage', 'Theft or shrinkage', 'Return to stock', 'Expired season'];

/** Stock levels, movements and stockouts. */
export function makeStock(world: World): Record<string, Row[]> {
  return {
    locations: LOCATIONS,
    stock: makeLevels(world),
    movements: makeMovements(world),
    stockouts: makeStockouts(world),
    adjustments: makeAdjustments(world),
    stock_history: makeHistory(world),
  };
}

function makeLevels({ chance, products, day }: World): Row[] {
  return LOCATIONS.flatMap(({ location_id, kind }) =>
    products.map((product) => {
      const reorder = Math.round((kind === 'Warehouse' ? 120 : 14) * (0.6 + product.popularity * 0.5));
      const fill = chance.number() < 0.12 ? 0 : chance.number() ** 1.4 * 4.2;
      return {
        product_id: product.product_id,
        location_id,
        on_hand: Math.round(reorder * fill),
        reorder_point: reorder,
        max_level: reorder * 3,
        unit_cost: (product.price * 0.42).toFixed(2),
        last_replenished: day(chance.whole(0, 75)),
        replenishment_schedule: chance.pick(SCHEDULES),
      };
    }),
  );
}

function makeMovements({ chance, products, day, days }: World): Row[] {
  return Array.from({ length: 9_000 }, (_, index) => {
    const product = chance.weighted(products, (one) => one.popularity);
    const isReceipt = chance.number() < 0.35;
    const from = isReceipt ? 0 : chance.number() < 0.75 ? chance.whole(1, 3) : chance.whole(4, 15);
    const to = isReceipt ? chance.whole(1, 3) : chance.whole(4, 15);
    const planned = isReceipt ? 9 : 3;
    const units = isReceipt ? chance.whole(40, 240) : chance.whole(4, 40);
    return {
      movement_id: index + 1,
      movement_date: day(chance.whole(0, days - 1)),
      movement_type: isReceipt ? 'Receipt' : 'Transfer',
      from_location_id: from || '',
      to_location_id: to,
      product_id: product.product_id,
      units,
      value: (units * product.price * 0.42).toFixed(2),
      planned_days: planned,
      actual_days: planned + (chance.number() < 0.22 ? chance.whole(1, 9) : 0),
    };
  });
}

function makeStockouts({ chance, products, day, days }: World): Row[] {
  return Array.from({ length: 2_600 }, (_, index) => {
    const product = chance.weighted(products, (one) => one.popularity + 0.3);
    const length = chance.whole(1, 14);
    const lost = Math.max(1, Math.round(length * product.popularity * (0.3 + chance.number())));
    return {
      stockout_id: index + 1,
      product_id: product.product_id,
      location_id: chance.weighted(LOCATIONS, ({ location_id }) => 1 + (location_id % 5)).location_id,
      start_date: day(chance.whole(0, days - 1)),
      days_out: length,
      lost_units: lost,
      lost_revenue: (lost * product.price).toFixed(2),
    };
  });
}

function makeAdjustments({ chance, products, day, days }: World): Row[] {
  return Array.from({ length: 1_600 }, (_, index) => {
    const product = chance.pick(products);
    const reason = chance.weighted(REASONS, (one) => REASONS.length - REASONS.indexOf(one));
    const units = (reason === 'Return to stock' ? 1 : -1) * chance.whole(1, 12);
    return {
      adjustment_id: index + 1,
      adjustment_date: day(chance.whole(0, days - 1)),
      product_id: product.product_id,
      location_id: chance.pick(LOCATIONS).location_id,
      reason,
      units,
      value: (units * product.price * 0.42).toFixed(2),
    };
  });
}

function makeHistory({ chance, products, day }: World): Row[] {
  const categories = [...new Set(products.map(({ category }) => category))];
  return Array.from({ length: 12 }, (_, month) => month).flatMap((month) =>
    categories.flatMap((category) =>
      LOCATIONS.map(({ location_id, kind }) => {
        const units = Math.round(
          (kind === 'Warehouse' ? 2_400 : 280) * (0.8 + chance.number() * 0.4) * (1 - month * 0.012),
        );
        return {
          month: monthsBefore(day(0), month),
          category,
          location_id,
          units,
          value: units * chance.whole(22, 48),
        };
      }),
    ),
  );
}

/** The calendar month this many months before the month of a date. Steps of 30 days would skip one and repeat another. */
function monthsBefore(date: string, before: number): string {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - before)).toISOString().slice(0, 7);
}
