import type { JsonObject } from '../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool.ts';
import type { SpaceFile } from './space-file.ts';
import type { SpaceJobs } from './space-jobs.ts';

const MAX_QUERY_CHARS = 4_000;
const LISTED_QUESTIONS = 30;

/** The pair of tools of one space, as Genie names them. */
export function createSpaceTools(file: SpaceFile, jobs: SpaceJobs, source: string): Tool[] {
  const ids = {
    conversation_id: { type: 'string', description: 'From an earlier answer of this space' },
    message_id: { type: 'string', description: 'From the answer that was still running' },
  };
  return [
    {
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
      readOnly: true,
      idempotent: true,
      source,
      run: async (args, context) => ({ result: await jobs.ask(String(args.query), askerOf(args, context)) }),
    },
    {
      name: `poll_response_${file.name}`,
      description: `Looks whether a question to ${file.title} that was still running is answered by now.`,
      inputSchema: { type: 'object', properties: ids, required: ['conversation_id', 'message_id'] },
      readOnly: true,
      idempotent: true,
      source,
      run: (args, context) => poll(jobs, args, context),
    },
  ];
}

function describeSpace({ title, description, questions }: SpaceFile): string {
  const listed = questions.slice(0, LISTED_QUESTIONS).map(({ question }) => `- ${question.replace(/\{(\w+)\}/g, 'N')}`);
  const about = `Answers one question in plain words about ${title}: ${description.trim()}`;
  const remarks = `Words that an answer does not rest on come back in not_taken_into_account; given_only_by names what its figures are told apart by where one for all was asked for; data_notes must be passed on, such as values that are missing in the data.`;
  return `${about}\n${remarks}\nQuestions it knows:\n${listed.join('\n')}`;
}

async function poll(jobs: SpaceJobs, args: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const ids = { conversationId: String(args.conversation_id), messageId: String(args.message_id) };
  const message = await jobs.poll(ids, askerOf({}, context));
  if (message) return { result: message };
  return { error: { error_type: 'ValidationError', message: 'There is no such running question.' } };
}

function askerOf(args: JsonObject, { user, signal }: ToolContext) {
  const { conversation_id: id } = args;
  return { userId: user.id, signal, ...(typeof id === 'string' && id !== '' && { conversationId: id }) };
}
