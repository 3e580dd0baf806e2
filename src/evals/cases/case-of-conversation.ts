import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Document, isMap, isSeq, parseDocument } from 'yaml';
import { AppError } from '../../errors.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { FileNote } from '../../schema/file.ts';
import type { Json, JsonObject } from '../../schema/json.ts';

const LAYOUT = { lineWidth: 140, flowCollectionPadding: true } as const;

/** Adds a case at the end of a YAML file: of its list, or of its `test_cases`. Comments and other keys stay. */
export function addCase(path: string, testCase: JsonObject): void {
  const document: Document = parseDocument(readFileSync(path, 'utf8'));
  if (document.errors.length > 0) throw new AppError('cases_invalid', { detail: `${path} is not valid YAML.` });
  const node = document.createNode(testCase);
  if (isSeq(document.contents)) document.contents.add(node);
  else if (isMap(document.contents) && isSeq(document.contents.get('test_cases'))) document.addIn(['test_cases'], node);
  else document.set('test_cases', [node]);
  writeFileSync(path, document.toString(LAYOUT));
}

/** A finished turn of a stored conversation. */
export interface ToldTurn {
  input: string;
  /** Metadata of the user's message, with its files. */
  metadata: JsonObject;
  at: string;
  events: readonly Event[];
}

export interface WrittenCase {
  /** As it is written into a file of cases. */
  testCase: JsonObject;
  /** Files that the case needs beside the agent: their names in the case, and the names that the user sent. */
  files: { path: string; sent: string }[];
}

export interface CaseOptions {
  name: string;
  timezone: string;
  redactor: Redactor;
}

/** Writes a conversation as a test case: its inputs, calls with arguments, approvals and facts of its answers. */
export function caseOfConversation(turns: readonly ToldTurn[], { name, timezone, redactor }: CaseOptions): WrittenCase {
  const files = turns.flatMap(({ metadata }) => filesOf(metadata, redactor));
  const written = turns.map((turn) => writeTurn(turn, redactor));
  const now = turns[0]?.at ?? '';
  return { testCase: { name: redactor.text(name), now, timezone, turns: written }, files };
}

function writeTurn({ input, metadata, events }: ToldTurn, redactor: Redactor): JsonObject {
  const result = events.findLast((event) => event.type === 'turn-end')?.result;
  const calls = result?.tool_calls ?? [];
  const asked = events.flatMap((event) =>
    event.type === 'tool-call-wait' && event.wait.kind === 'approval' ? [event] : [],
  );
  const wasRun = (id: string) => events.some((event) => event.type === 'tool-call-run' && event.call_id === id);
  const isApproved = asked.some(({ call_id }) => wasRun(call_id));
  const files = filesOf(metadata, redactor).map(({ path }) => ({ path, type: 'text' }));
  const content = factsOf(redactor.text(result?.content ?? ''));
  return {
    input: redactor.text(input),
    ...(files.length > 0 && { files }),
    ...(calls.length > 0 ? { expected_tools: expectedCalls(calls, redactor) } : { forbidden_tools: ['*'] }),
    ...(asked.length > 0 && { expected_approvals: asked.map(({ tool }) => tool) }),
    ...(isApproved && { approve: true }),
    ...(content.length > 0 && { expected_content: content }),
    ...(result?.status === 'error' && { expected_status: 'error' }),
  };
}

/** Equal calls become one expectation with a count. */
function expectedCalls(calls: readonly ToolCall[], redactor: Redactor): Json[] {
  const written = calls.map(({ name, arguments: args }) => ({ name, args: redactor.json(comparable(args)) }));
  const groups = Map.groupBy(written, (call) => JSON.stringify(call));
  return [...groups.values()].map((group) => {
    const [{ name, args } = { name: '', args: {} }] = group;
    return {
      name,
      ...(Object.keys(args ?? {}).length > 0 && { args }),
      ...(group.length > 1 && { count: group.length }),
    };
  });
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|^[0-9A-HJKMNP-TV-Z]{26}$/i;

/** Ids are drawn anew in every run. */
function comparable(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => !(typeof value === 'string' && ID.test(value))));
}

const MAX_FACTS = 5;

/** Texts of an answer that other words for the same answer would hold too: quotes, bold words and numbers. */
function factsOf(answer: string): string[] {
  const quoted = [...answer.matchAll(/["“]([^"”\n]{2,60})["”]|(?<!\w)'([^'\n]{2,60})'(?!\w)|\*\*([^*\n]{2,60})\*\*/g)];
  const numbers = [...answer.matchAll(/(?<![\w.,])\d[\d.,]*\d(?![\w])/g)].map(([number]) => number);
  const phrases = quoted.map(([, double, single, bold]) => double ?? single ?? bold ?? '');
  return [...new Set([...phrases, ...numbers])].slice(0, MAX_FACTS);
}

/** A name keeps its ending, which decides how the file is read. */
function filesOf({ files }: JsonObject, redactor: Redactor): WrittenCase['files'] {
  return (FileNote.array().safeParse(files ?? []).data ?? []).map(({ filename }) => {
    const clean = redactor.text(filename);
    const ending = extname(filename);
    return { sent: filename, path: clean.endsWith(ending) ? clean : clean + ending };
  });
}
