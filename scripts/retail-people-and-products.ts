import { createChance } from './retail-chance.ts';

export interface Product {
  product_id: number;
  product: string;
  brand: string;
  category: string;
  material: string;
  price: number;
  popularity: number;
  abandon_rate: number;
}

export interface Customer {
  customer_id: number;
  customer: string;
  segment: string;
  loyalty_tier: string;
  age_group: string;
  gender: string;
  region: string;
  acquisition_channel: string;
  preferred_channel: string;
  signup_date: string;
  order_count: number;
  days_since_order: number;
  lifetime_value: number;
  is_churned: number;
  favourite: string;
}

type Chance = ReturnType<typeof createChance>;

const KINDS: Readonly<Record<string, { nouns: string[]; materials: string[]; price: number }>> = {
  Footwear: {
    nouns: ['Boots', 'Sneakers', 'Loafers', 'Sandals'],
    materials: ['Leather', 'Suede', 'Canvas'],
    price: 110,
  },
  Outerwear: {
    nouns: ['Parka', 'Trench Coat', 'Puffer Jacket', 'Wool Coat'],
    materials: ['Wool', 'Nylon', 'Cotton'],
    price: 190,
  },
  Dresses: {
    nouns: ['Wrap Dress', 'Midi Dress', 'Shirt Dress', 'Slip Dress'],
    materials: ['Linen', 'Silk', 'Viscose'],
    price: 95,
  },
  Denim: {
    nouns: ['Skinny Jeans', 'Straight Jeans', 'Denim Jacket', 'Denim Skirt'],
    materials: ['Cotton', 'Stretch Denim'],
    price: 80,
  },
  Tops: {
    nouns: ['Blouse', 'Linen Shirt', 'Knit Sweater', 'Tee'],
    materials: ['Cotton', 'Linen', 'Cashmere'],
    price: 50,
  },
  Bags: {
    nouns: ['Tote Bag', 'Crossbody Bag', 'Backpack', 'Clutch'],
    materials: ['Leather', 'Canvas', 'Vegan Leather'],
    price: 130,
  },
  Accessories: {
    nouns: ['Belt', 'Silk Scarf', 'Beanie', 'Sunglasses'],
    materials: ['Leather', 'Silk', 'Wool'],
    price: 35,
  },
  Activewear: {
    nouns: ['Leggings', 'Running Shorts', 'Sports Bra', 'Track Jacket'],
    materials: ['Polyester', 'Elastane'],
    price: 60,
  },
};
const BRANDS = ['Luxe Label', 'Urban Thread', 'Northway', 'Casa Lino', 'Velo Sport'];
const NAMES = [
  'Aspen',
  'Bristol',
  'Cedar',
  'Dover',
  'Elm',
  'Fjord',
  'Garda',
  'Harbor',
  'Iris',
  'Juno',
  'Kyoto',
  'Luna',
  'Marlow',
  'Nova',
  'Oslo',
];
const FIRST = [
  'Ana',
  'Ben',
  'Carla',
  'Dan',
  'Elif',
  'Finn',
  'Grace',
  'Hugo',
  'Ines',
  'Jonas',
  'Kira',
  'Liam',
  'Mona',
  'Noah',
  'Olga',
  'Paul',
  'Rosa',
  'Sami',
  'Tara',
  'Yara',
];
const LAST = [
  'Adler',
  'Baker',
  'Costa',
  'Diaz',
  'Evans',
  'Fischer',
  'Garcia',
  'Hansen',
  'Ito',
  'Jansen',
  'Klein',
  'Lopez',
  'Moreau',
  'Novak',
  'Olsen',
  'Patel',
  'Rossi',
  'Silva',
  'Tanaka',
  'Weber',
];

export const PRODUCTS: readonly Product[] = makeProducts(createChance(7));

function makeProducts(chance: Chance): Product[] {
  const kinds = Object.entries(KINDS);
  return Array.from({ length: 120 }, (_, index) => {
    const [category, kind] = kinds[index % kinds.length] as (typeof kinds)[number]; // the index is in range
    const name = NAMES[Math.floor(index / kinds.length)] ?? 'Zen';
    return {
      product_id: index + 1,
      product: `${name} ${kind.nouns[Math.floor(index / kinds.length) % kind.nouns.length]}`,
      brand: chance.pick(BRANDS),
      category,
      material: chance.pick(kind.materials),
      price: Math.round(kind.price * (0.6 + chance.number() * 0.9)) - 0.1,
      popularity: Number((0.15 + chance.number() ** 3 * 4).toFixed(2)),
      abandon_rate: Number((0.45 + chance.number() * 0.4).toFixed(2)),
    };
  });
}

interface SegmentShape {
  segment: string;
  share: number;
  orders: [number, number];
  idle: [number, number];
  tiers: string[];
}

const SEGMENTS: readonly SegmentShape[] = [
  { segment: 'VIP', share: 0.06, orders: [12, 24], idle: [0, 30], tiers: ['Platinum', 'Platinum', 'Gold'] },
  { segment: 'Loyal', share: 0.2, orders: [6, 12], idle: [0, 60], tiers: ['Gold', 'Gold', 'Silver'] },
  { segment: 'Regular', share: 0.34, orders: [3, 6], idle: [5, 120], tiers: ['Silver', 'Bronze'] },
  { segment: 'New', share: 0.18, orders: [1, 2], idle: [0, 45], tiers: ['Bronze'] },
  { segment: 'At Risk', share: 0.22, orders: [1, 4], idle: [95, 330], tiers: ['Silver', 'Bronze'] },
];
const WAYS = ['Store', 'Website', 'Mobile App', 'Social'];

export function makeCustomers(chance: Chance, day: (before: number) => string): Customer[] {
  return Array.from({ length: 4_000 }, (_, index) => {
    const shape = chance.weighted(SEGMENTS, ({ share }) => share);
    const orders = chance.whole(...shape.orders);
    const idle = chance.whole(...shape.idle);
    const acquired = chance.pick(WAYS);
    return {
      customer_id: index + 1,
      customer: `${FIRST[index % 20]} ${LAST[Math.floor(index / 20) % 20]} ${String.fromCharCode(65 + Math.floor(index / 400))}`,
      segment: shape.segment,
      loyalty_tier: chance.pick(shape.tiers),
      age_group: chance.weighted(['18-24', '25-34', '35-44', '45-54', '55+'], (group) => (group === '25-34' ? 3 : 2)),
      gender: chance.weighted(['Female', 'Male', 'Not stated'], (gender) => ({ Female: 58, Male: 38 })[gender] ?? 4),
      region: chance.pick(['North', 'South', 'East', 'West']),
      acquisition_channel: acquired,
      preferred_channel: chance.number() < 0.55 ? acquired : chance.pick(WAYS),
      signup_date: day(chance.whole(shape.segment === 'New' ? 1 : 200, shape.segment === 'New' ? 90 : 1_800)),
      order_count: orders,
      days_since_order: idle,
      lifetime_value: Math.round(orders * 88 * (1 + chance.number() * 0.8)),
      is_churned: Number(idle > 180),
      favourite: chance.pick(Object.keys(KINDS)),
    };
  });
}
