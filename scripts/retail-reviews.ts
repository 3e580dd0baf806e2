import type { World } from './make-retail-data.ts';

type Row = Record<string, string | number>;

interface Theme {
  theme: string;
  /** The share of positive reviews of this theme. */
  good: number;
  praise: string[];
  blame: string[];
  only?: string[];
}

const THEMES: readonly Theme[] = [
  {
    theme: 'Quality',
    good: 0.62,
    praise: ['The stitching is perfect', 'It feels made to last', 'The material is beautiful'],
    blame: [
      'The stitching came loose after two weeks',
      'It fell apart after a few wears',
      'The seams are badly finished',
    ],
  },
  {
    theme: 'Sizing',
    good: 0.42,
    praise: ['It fits true to size', 'My usual size was just right'],
    blame: [
      'It runs small, order one size up',
      'The sizing is off and the waist is too tight',
      'It is much larger than the size chart says',
    ],
  },
  {
    theme: 'Comfort',
    good: 0.68,
    praise: ['So comfortable that I wear it all day', 'Soft from the first day'],
    blame: ['It pinches after an hour', 'Stiff and uncomfortable'],
    only: ['Footwear', 'Activewear', 'Denim', 'Tops'],
  },
  {
    theme: 'Shipping',
    good: 0.55,
    praise: ['It arrived a day early', 'Fast delivery'],
    blame: ['Delivery took almost three weeks', 'The courier left it outside in the rain'],
  },
  {
    theme: 'Packaging',
    good: 0.66,
    praise: ['Beautifully wrapped', 'The box is sturdy and easy to reuse'],
    blame: ['The box arrived crushed', 'Far too much plastic'],
  },
  {
    theme: 'Returns',
    good: 0.5,
    praise: ['Sending it back was easy', 'The return label was in the box'],
    blame: ['The return form never worked', 'I had to pay to send it back'],
  },
  {
    theme: 'Refunds',
    good: 0.36,
    praise: ['My refund came within three days'],
    blame: ['I waited five weeks for my refund', 'The refund was short and nobody knew why'],
  },
  {
    theme: 'Service',
    good: 0.52,
    praise: ['The support team solved it at once', 'A friendly and patient chat agent'],
    blame: ['Nobody answered my three emails', 'The support agent was rude'],
  },
  {
    theme: 'Price',
    good: 0.48,
    praise: ['Worth every cent', 'Great value for the price'],
    blame: ['Overpriced for what it is', 'Not worth the price'],
  },
  {
    theme: 'Style',
    good: 0.82,
    praise: ['I get compliments every time', 'The cut is very flattering'],
    blame: ['It looks cheaper than in the pictures'],
  },
  {
    theme: 'Color',
    good: 0.58,
    praise: ['The color is just like in the picture'],
    blame: ['The color faded in the first wash', 'The color is nothing like the photo'],
  },
  {
    theme: 'Availability',
    good: 0.12,
    praise: ['Finally back in my size'],
    blame: [
      'My size was sold out again',
      'Out of stock every time I look',
      'My order was cancelled because it was out of stock',
    ],
  },
];
const LOVED = ['Love it.', 'Very happy with it.', 'Would buy again.', 'A new favorite.'];
const HATED = ['Very disappointed.', 'I am frustrated.', 'Never again.', 'This needs to be fixed.'];

/** Reviews whose words, theme, rating and sentiment agree. */
export function makeReviews({ chance, products, customers, day, days }: World): Row[] {
  return Array.from({ length: 7_200 }, (_, index) => {
    const product = chance.weighted(products, (one) => one.popularity);
    const customer = chance.pick(customers);
    const fitting = THEMES.filter(({ only }) => !only || only.includes(product.category));
    const theme = chance.pick(fitting);
    const isGood =
      chance.number() < theme.good + (customer.segment === 'VIP' ? 0.08 : 0) - (customer.is_churned ? 0.15 : 0);
    const isMixed = chance.number() < 0.12;
    const words = chance.pick(isGood ? theme.praise : theme.blame);
    const rating = isMixed ? 3 : isGood ? chance.whole(4, 5) : chance.whole(1, 2);
    return {
      review_id: index + 1,
      product_id: product.product_id,
      segment: customer.segment,
      loyalty_tier: customer.loyalty_tier,
      is_churned: customer.is_churned,
      review_date: day(chance.whole(0, days - 1)),
      rating,
      sentiment: isMixed ? 'neutral' : isGood ? 'positive' : 'negative',
      theme: theme.theme,
      review: `${words}. ${chance.pick(isGood ? LOVED : HATED)}`,
    };
  });
}
