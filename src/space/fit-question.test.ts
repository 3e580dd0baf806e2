import { describe, expect, it } from 'vitest';
import { loadWordVectors } from '../builtin/word-vectors.ts';
import { fitQuestion } from './fit-question.ts';
import type { QueryRows } from './guarded-database.ts';
import { createQuestionBook } from './match-question.ts';
import { TrustedQuestion } from './space-file.ts';
import type { Vocabulary } from './vocabulary.ts';

const vectors = loadWordVectors();
const vocabulary: Vocabulary = {
  known: new Map(),
  values: new Map(),
  columns: new Set(['channel', 'segment', 'region', 'location']),
  topic: new Set(['sal', 'order', 'stockout']),
  title: new Set(['sal']),
};
const months = trusted(
  ['When do customers buy the most?'],
  'SELECT month, count(*) AS orders FROM o GROUP BY month ORDER BY orders DESC',
);
const channels = trusted(
  ['How many orders were placed in each channel?'],
  'SELECT channel, count(*) AS orders FROM o GROUP BY channel ORDER BY orders DESC',
);
const lost = trusted(
  ['How much revenue are we losing to stockouts?', 'Show me lost sales by location'],
  'SELECT location, sum(lost) AS lost_revenue, sum(sum(lost)) OVER () AS all_lost_revenue FROM s GROUP BY location',
);
const inactive = trusted(
  ['Which customers have not purchased for a while?'],
  'SELECT segment, count(*) AS customers FROM c GROUP BY segment',
);

const spenders = trusted(
  ['Top customers by number of orders'],
  'SELECT customer, orders, total_spent FROM c ORDER BY total_spent DESC LIMIT 5',
);
const missing = trusted(
  ['Which customers have not ordered?'],
  'SELECT segment, count(*) AS customers, avg(days) AS days_since_order FROM c GROUP BY segment',
);
const stars = trusted(
  ['How are our products rated by reviewers?'],
  'SELECT category, count(*) AS reviews, sum(count(*)) OVER () AS all_reviews FROM r GROUP BY category',
);
const patterns = trusted(
  ['What are seasonal purchase patterns?'],
  'SELECT month, count(*) AS orders FROM o GROUP BY month',
);

const overtime = trusted(
  ['Which employees worked the most overtime?'],
  'SELECT employee, sum(hours) AS overtime FROM o GROUP BY employee ORDER BY overtime DESC',
);
const energy = trusted(['Which offices use the most energy?'], 'SELECT office, energy FROM e ORDER BY energy DESC');
const products = trusted(['Which products use the most energy?'], 'SELECT product, energy FROM e ORDER BY energy DESC');
const whole = trusted(['How much overtime was worked?'], 'SELECT sum(hours) AS overtime FROM o');
const ratings = trusted(
  ['How many overtime hours were worked for each score?'],
  'SELECT score, sum(hours) AS overtime FROM o GROUP BY score',
);
const shoppers = trusted(['Which shoppers use the most energy?'], 'SELECT shopper, energy FROM e ORDER BY energy DESC');
const comments = trusted(
  ['Show me the most overtime comments'],
  'SELECT comment_date, comment FROM o ORDER BY comment_date DESC',
);

function trusted([question = '', ...examples]: string[], sql: string): TrustedQuestion {
  return TrustedQuestion.parse({ question, examples, sql, answer: 'x' });
}
const table = (columns: string[], ...rows: QueryRows['rows']): QueryRows => ({ columns, rows, isCut: false });
const ROWS = new Map([
  [months, table(['month', 'orders'], ['2025-10', 9], ['2025-09', 5])],
  [channels, table(['channel', 'orders'], ['Store', 9], ['Website', 5])],
  [lost, table(['location', 'lost_revenue', 'all_lost_revenue'], ['Harbor Store', 9, 14], ['Old Store', 5, 14])],
  [inactive, table(['segment', 'customers'], ['New', 9], ['VIP', 5])],
  [spenders, table(['customer', 'orders', 'total_spent'], ['Ann', 9, 90], ['Bob', 5, 50])],
  [missing, table(['segment', 'customers', 'days_since_order'], ['New', 9, 80], ['VIP', 5, 70])],
  [stars, table(['category', 'reviews', 'all_reviews'], ['Bags', 9, 14], ['Denim', 5, 14])],
  [overtime, table(['employee', 'overtime'], ['Ann', 9], ['Bob', 5])],
  [energy, table(['office', 'energy'], ['North', 9], ['South', 5])],
  [products, table(['product', 'energy'], ['Lamp', 9], ['Fan', 5])],
  [whole, table(['overtime'], [14])],
  [ratings, table(['score', 'overtime'], [1, 9], [2, 5])],
  [shoppers, table(['shopper', 'energy'], ['Ann', 9], ['Bob', 5])],
  [comments, table(['comment_date', 'comment'], ['2025-10-01', 'Too much'])],
  [patterns, table(['month', 'orders'], ['2025-10', 9], ['2025-09', 5])],
]);

function judge(text: string, question: TrustedQuestion): string {
  const [match] = createQuestionBook([question], () => vectors).rank(text, vocabulary.known);
  const rows = ROWS.get(question);
  if (!match || !rows) throw new Error('nothing fits');
  return fitQuestion({ text, match, rows, vocabulary, vectors });
}

describe('fitQuestion', () => {
  it.each([
    ['Which customers bought the most?', months, 'other'],
    ['Who bought the most?', months, 'other'],
    ['What do customers buy the most?', months, 'other'],
    ['In which month do customers buy the most?', months, 'rows'],
    ['When do customers order most?', months, 'rows'],
    ['Which channel has the most orders?', channels, 'rows'],
    ['Which regions placed the most orders?', channels, 'other'],
    ['How many orders were placed?', channels, 'parts'],
    ['How many orders were placed in the store?', channels, 'whole'],
    ['How many channels do we have?', channels, 'other'],
    ['What share of orders was placed?', channels, 'other'],
    ['What is our revenue?', lost, 'other'],
    ['What are our total sales?', lost, 'other'],
    ['How much revenue are we losing?', lost, 'whole'],
    ['What are our lost sales?', lost, 'whole'],
    ['Which stores lost the most revenue to stockouts?', lost, 'rows'],
    ['Which customers have not purchased?', inactive, 'whole'],
    ['Which customers have purchased for a while?', inactive, 'other'],
    ['How have orders changed?', months, 'whole'],
    ['Which channel has no orders?', channels, 'other'],
    ['Which channel except the store has the most orders?', channels, 'rows'],
    ['revenue last month', lost, 'other'],
    ['Sales?', lost, 'other'],
    ['lost revenue', lost, 'whole'],
    ['lost sales by location', lost, 'whole'],
    ['lost sales by segment', lost, 'other'],
    ['orders', channels, 'parts'],
    ['orders by channel', channels, 'whole'],
    ['show me orders by region', channels, 'other'],
    ['number of orders', spenders, 'other'],
    ['number of orders per customer', spenders, 'whole'],
    ['orders', missing, 'other'],
    ['number of reviews', stars, 'whole'],
    ['number of reviewers', stars, 'other'],
    ['seasonal patterns', patterns, 'whole'],
    ['Who worked the most overtime hours?', overtime, 'whole'],
    ['Who worked the most overtime hours?', whole, 'other'],
    ['Who worked the most overtime hours?', ratings, 'other'],
    ['Who wrote the most overtime comments?', comments, 'other'],
    ['Who lost the most sales?', lost, 'other'],
    ['Who did not work overtime?', overtime, 'other'],
    ['Where do we use the most energy?', energy, 'whole'],
    ['Where do we use the most energy?', products, 'other'],
    ['Where do we use the most energy?', shoppers, 'other'],
    ['Where are we losing sales?', lost, 'rows'],
    ['Where do customers buy the most?', months, 'other'],
  ])('of %j', (text, question, expected) => {
    expect(judge(text, question)).toBe(expected);
  });
});
