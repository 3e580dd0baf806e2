import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type * as z from 'zod';
import * as events from '../../src/schema/conversation/event.ts';
import * as messages from '../../src/schema/conversation/message.ts';
import * as usage from '../../src/schema/conversation/token-usage.ts';
import * as calls from '../../src/schema/conversation/tool-call.ts';
import * as turns from '../../src/schema/conversation/turn.ts';
import * as domains from '../../src/schema/domain.ts';
import * as files from '../../src/schema/file.ts';
import { table } from './schema-text.ts';
import { cleanComment, commentBefore, fieldTexts, type Names, shapeText } from './type-text.ts';

const SOURCE = readFileSync(resolve(import.meta.dirname, '../../src/schema/conversation/event.ts'), 'utf8');
/** Shapes inside of events, in the order of the page. */
const NAMED = {
  ...{ TurnResult: turns.TurnResult, TurnStatus: turns.TurnStatus, FinishReason: turns.FinishReason },
  ...{ ToolCall: calls.ToolCall, CallWait: events.CallWait, CallAnswer: events.CallAnswer },
  ...{ UserMessage: messages.UserMessage, AssistantMessage: messages.AssistantMessage, Message: messages.Message },
  ...{ AnswerCheck: turns.AnswerCheck, Citation: turns.Citation, Question: turns.Question },
  ...{ TokenUsage: usage.TokenUsage, TurnError: turns.TurnError, FileVerdict: files.FileVerdict },
  ...{ Intent: domains.Intent, RoutingDecision: domains.RoutingDecision, Rejected: events.Rejected },
  ...{ Draft: events.Draft },
};
const NAMES: Names = new Map(Object.entries(NAMED).map(([name, schema]) => [schema, name]));

/** docs/reference/events.md: each event of a turn and the shapes inside, from the schema. */
export function eventsPage(): string {
  const shown = events.EventBody.unwrap().options.map((event) => eventSection(event));
  const shapes = Object.entries(NAMED).map(([name, schema]) => `### ${name}\n\n${shapeSection(schema)}`);
  return `${HEAD}\n${shown.join('\n\n')}\n\n## Shapes\n\n${shapes.join('\n\n')}\n`;
}

function eventSection(schema: z.core.$ZodType): string {
  const fields = fieldTexts(schema, NAMES);
  const type = fields.find(({ name }) => name === 'type')?.text.slice(1, -1) ?? '';
  const { comment, comments } = readComments(type);
  const rows = fields
    .filter(({ name }) => name !== 'type')
    .map(({ name, isOptional, text }) => [`\`${name}\`${isOptional ? '?' : ''}`, cell(text), comments.get(name) ?? '']);
  const kept = isPassing(type) ? ' It is emitted and never stored.' : '';
  const parts = [
    `## ${type}`,
    `${comment || (ABOUT[type] ?? '')}${kept}`.trim(),
    rows.length > 0 ? table(['field', 'type', ''], rows) : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function isPassing(type: string): boolean {
  // Only the type decides.
  return events.isPassing({ type } as events.EventBody);
}

/** The comments of the source: of the event, and of its fields. */
function readComments(type: string): { comment: string; comments: Map<string, string> } {
  const at = SOURCE.indexOf(`type: z.literal('${type}')`);
  const start = SOURCE.lastIndexOf('z.strictObject(', at);
  const end = SOURCE.indexOf('\n  z.strictObject(', at);
  const fields = SOURCE.slice(at, end).split('\n  /**')[0] ?? '';
  const found = fields.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+):/g);
  const comments = new Map([...found].map(([, words = '', name = '']) => [name, cleanComment(words)]));
  return { comment: commentBefore(SOURCE.slice(0, start)), comments };
}

function shapeSection(schema: z.core.$ZodType): string {
  const fields = fieldTexts(schema, NAMES);
  if (fields.length === 0) return cell(shapeText(schema, NAMES));
  return table(
    ['field', 'type'],
    fields.map(({ name, isOptional, text }) => [`\`${name}\`${isOptional ? '?' : ''}`, cell(text)]),
  );
}

function cell(text: string): string {
  return `\`${text}\``;
}

/** Events whose schema has no comment. */
const ABOUT: Readonly<Record<string, string>> = {
  'turn-start': "A turn begins with the user's message.",
  'step-start': 'A model is asked.',
  'reasoning-delta': 'Thoughts of the model, as they are written.',
  'text-delta': 'Text of the answer, as it is written.',
  intent: 'The intents of the message, as read without a model.',
  routing: 'The domains that were chosen for the message.',
  file: 'A file of the message was read, or refused.',
  'tool-call-start': 'The model has called a tool; the call has not run.',
  'tool-call-wait': 'A call waits for an answer.',
  'tool-call-run': 'A call begins to run, with the arguments that the tool gets.',
  'tool-call-progress': 'A running tool reports how far it is.',
  'tool-call-end': 'A call has its result, or failed.',
  annotation: 'The check of an answer: its figures, and the passages that it cites.',
  'turn-end': 'The last event of a turn.',
};

const HEAD = `# Events

The events of a turn, in \`runAgent\`, \`runtime.chat\` and the journal. This page is made from \`src/schema/conversation/event.ts\`
(\`npm run docs:write\`). Every event has \`id\` and \`at\`, the time as ISO 8601. A field with \`?\` may be absent. The fronts translate these
events: [REST](../guides/http.md), [AG-UI](../guides/agui.md), [other clients](../guides/clients.md).
`;
