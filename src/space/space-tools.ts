import type { JsonObject } from '../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool.ts';
import type { SpaceFile } from './load/space-file.ts';
import { createModel, hasMeasures } from './model/model.ts';
import { describeModel, querySchema } from './query-schema.ts';
import type { SpaceJobs } from './space-jobs.ts';

const MAX_QUERY_CHARS = 4_000;
const LISTED_QUESTIONS = 30;

/** The tools of a space: questions in words and polling, named like Genie's, and the query object. */
export function createSpaceTools(file: SpaceFile, jobs: SpaceJobs, source: string): Tool[] {
  const ids = {
    conversation_id: { type: 'string', description: 'From an earlier answer of this space' },
    message_id: { type: 'string', description: 'From the answer that was still running' },
  };
  const common = { readOnly: true, idempotent: true, source, isLocalSpace: true };
  return [
    {
      ...common,
      name: `query_space_${file.name}`,
      description: describeSpace(file),
      inputSchema: {
        type: 'object',
        properties: {
          query: {
            type: 'string',
            minLength: 1,
            maxLength: MAX_QUERY_CHARS,
            description: 'The question, in plain words',
          },
          conversation_id: ids.conversation_id,
        },
        required: ['query'],
      },
      run: async (args, context) => ({ result: await jobs.ask(String(args.query), askerOf(args, context)) }),
    },
    ...(hasMeasures(file) ? [queryTool(file, jobs, common)] : []),
    {
      ...common,
      name: `poll_response_${file.name}`,
      description: `Looks whether a question to ${file.title} that was still running is answered by now.`,
      inputSchema: { type: 'object', properties: ids, required: ['conversation_id', 'message_id'] },
      run: (args, context) => poll(jobs, args, context),
    },
  ];
}

function queryTool(
  file: SpaceFile,
  jobs: SpaceJobs,
  common: Pick<Tool, 'readOnly' | 'idempotent' | 'source' | 'isLocalSpace'>,
): Tool {
  const model = createModel(file);
  return {
    ...common,
    name: `run_query_${file.name}`,
    description: describeModel(file, model),
    inputSchema: querySchema(model),
    run: async (args, context) => ({ result: await jobs.ask(args, askerOf({}, context)) }),
  };
}

function describeSpace({ title, description, questions, verified }: SpaceFile): string {
  const known = [...verified.map(({ ask }) => ask), ...questions.map(({ question }) => question)];
  const listed = known.slice(0, LISTED_QUESTIONS).map((question) => `- ${question}`);
  const about = `Answers one question in plain words about ${title}: ${description.trim()}`;
  const remarks =
    'It declines a question with words that it does not know. "reading" says what was computed; begin the answer with it. Pass data_notes on, such as missing values.';
  return `${about}\n${remarks}\nQuestions it knows:\n${listed.join('\n')}`;
}

async function poll(jobs: SpaceJobs, args: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const ids = { conversationId: String(args.conversation_id), messageId: String(args.message_id) };
  const message = await jobs.poll(ids, askerOf({}, context));
  if (message) return { result: message };
  return { error: { error_type: 'ValidationError', message: 'There is no running question with these ids.' } };
}

function askerOf(args: JsonObject, { user, signal }: ToolContext) {
  const { conversation_id: id } = args;
  return { userId: user.id, signal, ...(typeof id === 'string' && id !== '' && { conversationId: id }) };
}
