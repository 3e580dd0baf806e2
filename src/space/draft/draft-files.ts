import { stringify } from 'yaml';
import { isCurrency } from '../../schema/column-format.ts';
import type { DraftedModel } from './draft-model.ts';
import { nounOf, toPlural } from './guess.ts';

export interface DraftedQuestion {
  ask: string;
  query: Record<string, unknown>;
}

const HEAD = `# Drafted from CSV files. Everything here is a guess that you may change; \`holodeck space check\` proves it.
# synonyms: other words that people use. unit: EUR or another currency, percent, days, stars, units … good: up or down, for best and worst.
`;

/** The text of space.yaml. */
export function spaceText(name: string, draft: DraftedModel, verified: readonly DraftedQuestion[]): string {
  const tables = Object.keys(draft.tables).join(', ');
  const file = {
    name,
    title: nounOf(name) === name ? name : name.replaceAll('_', ' '),
    description: `${tables.replaceAll('_', ' ')} from CSV files`,
    today: 'newest',
    tables: draft.tables,
    measures: draft.measures,
    dimensions: draft.dimensions,
    ...(Object.keys(draft.filters).length > 0 && { filters: draft.filters }),
    ...(verified.length > 0 && { verified }),
  };
  const blocks = Object.entries(file).map(([key, value]) => stringify({ [key]: value }, { lineWidth: 120 }));
  return `${HEAD}${blocks.slice(0, 4).join('')}\n${blocks.slice(4).join('\n')}`;
}

/** Says which currency each amount is taken for, because a wrong one makes every answer about it wrong. */
export function currencyHints({ measures }: DraftedModel): string[] {
  return Object.entries(measures).flatMap(([name, { unit }]) => {
    if (unit === 'money')
      return [`the files do not name the currency of ${name}; write its code in space.yaml, such as \`unit: EUR\`.`];
    return isCurrency(String(unit))
      ? [`${name} is taken for ${unit}; change its \`unit\` in space.yaml if it is not.`]
      : [];
  });
}

/** The text of agent.yaml: one domain over the drafted space, with the built-in model. */
export function agentText(
  name: string,
  space: string,
  draft: Readonly<Record<'tables' | 'measures' | 'dimensions', object>>,
  starters: readonly string[],
): string {
  const nouns = Object.keys(draft.tables).map((name) => toPlural(nounOf(name)));
  const subjects = [...Object.keys(draft.measures), ...nouns, ...Object.keys(draft.dimensions)];
  const domain = space.replace(/_+/g, '_').replace(/_$/, '');
  const title = space.replaceAll('_', ' ');
  return stringify(
    {
      name,
      description: `Answers questions about ${title} and shows where each number came from.`,
      model: { provider: 'builtin' },
      instructions: {
        role: `You are a data analyst who answers questions about ${title}`,
        rules: ['Answer only from what the data tools return; never make up a figure and never guess one'],
        guidelines: ['Answer in words first, concise (under 200 words), then a small table where it helps'],
        tools: 'The tool answers one question in plain words about the data.',
      },
      tools: [{ name: space, type: 'mcp', transport: 'builtin', server: 'space', file: 'space.yaml' }],
      domains: [
        {
          name: domain,
          display_name: capital(title),
          description: `Questions about ${nouns.join(', ')}`,
          capabilities: subjects.map(capital),
          mcp_tools: [`query_space_${space}`],
        },
      ],
      starters: starters.slice(0, 4),
    },
    { lineWidth: 120 },
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Questions that the draft should answer. They are starters, and tests of the model once they are proven. */
export function draftQuestions({ tables, measures, dimensions }: DraftedModel): DraftedQuestion[] {
  const entries = Object.entries(measures).map(([name, measure]) => ({ name, place: placeOf(measure) }));
  const questions = Object.entries(dimensions).flatMap(([dimension, { columns }]) => {
    const table = columns[0]?.split('.')[0];
    const measure = entries.find(({ place }) => place === table) ?? entries.find(({ place }) => joinsTo(place, table));
    if (!measure) return [];
    const order = { by: measure.name, direction: 'highest' };
    const query = { measures: [{ name: measure.name }], dimensions: [dimension], order, limit: 1 };
    return [{ ask: `Which ${dimension} has the highest ${measure.name}?`, query }];
  });
  const counts = Object.entries(tables).flatMap(([name, { key }]) => {
    if (key === undefined) return [];
    const plural = toPlural(nounOf(name));
    return [{ ask: `How many ${plural} are there?`, query: { measures: [{ name: `number of ${plural}` }] } }];
  });
  const timed = entries.find(({ place }) => tables[place]?.time !== undefined);
  const series = timed && {
    ask: `${capital(timed.name)} by month`,
    query: { measures: [{ name: timed.name }], grain: 'month' },
  };
  return [...questions.slice(0, 2), ...(series ? [series] : []), ...counts.slice(0, 1)];

  function joinsTo(from: string, to: string | undefined): boolean {
    return tables[from]?.joins?.some((table) => table === to) ?? false;
  }
}

function placeOf(measure: Record<string, unknown>): string {
  const text = [measure.sum, measure.average, measure.share].find((one) => typeof one === 'string');
  return String(text ?? '').split('.')[0] ?? '';
}
