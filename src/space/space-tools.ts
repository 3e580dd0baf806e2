import type { Tool, ToolOutcome } from '../tools/tool.ts';
import type { SpaceFile } from './load/space-file.ts';
import { createModel, hasMeasures } from './model/model.ts';
import { describeModel, querySchema } from './query-schema.ts';
import { type AnswerOutcome, toResult } from './space-answer.ts';
import type { SpaceAnswerer } from './space-answerer.ts';

const LISTED_QUESTIONS = 30;

/** The tools of a space: for questions in words, and for the query object. */
export function createSpaceTools(file: SpaceFile, answerer: SpaceAnswerer, source: string): Tool[] {
  const common = { readOnly: true, idempotent: true, source };
  return [
    {
      ...common,
      name: `query_space_${file.name}`,
      description: describeSpace(file),
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, maxLength: 4_000, description: 'The question, in plain words' },
        },
        required: ['query'],
      },
      run: async (args, { signal }) => toOutcome(await answerer.answer(String(args.query), signal)),
    },
    ...(hasMeasures(file) ? [queryTool(file, answerer, common)] : []),
  ];
}

function queryTool(
  file: SpaceFile,
  answerer: SpaceAnswerer,
  common: Pick<Tool, 'readOnly' | 'idempotent' | 'source'>,
): Tool {
  const model = createModel(file);
  return {
    ...common,
    name: `run_query_${file.name}`,
    description: describeModel(file, model),
    inputSchema: querySchema(model),
    run: async (args, { signal }) => toOutcome(await answerer.run(args, signal)),
  };
}

function describeSpace({ title, description, verified }: SpaceFile): string {
  const listed = verified.slice(0, LISTED_QUESTIONS).map(({ ask }) => `- ${ask}`);
  const about = `Answers one question in plain words about ${title}: ${description.trim()}`;
  const remarks =
    'It declines a question with words that it does not know. "reading" says what was computed; begin the answer with it. Pass data_notes on, such as missing values.';
  return `${about}\n${remarks}\nQuestions it knows:\n${listed.join('\n')}`;
}

function toOutcome(outcome: AnswerOutcome): ToolOutcome {
  if ('answer' in outcome) return { result: toResult(outcome.answer) };
  return { error: { error_type: 'ToolInvocationError', message: outcome.failure } };
}
