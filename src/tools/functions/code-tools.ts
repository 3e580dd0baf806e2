import * as z from 'zod';
import { AppError } from '../../errors.ts';
import type { Agent } from '../../schema/agent.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import type { Tool, ToolContext, ToolOutcome, ToolSource } from '../tool.ts';
import { exposedWords } from './function-protocol.ts';

/** The second argument of a tool's function, the same as for the function tools of agent.yaml. */
export interface CodeToolContext {
  user: User;
  /** Use it as an idempotency key. */
  callId: string;
  /** Aborts at the deadline and when the turn is stopped. */
  signal: AbortSignal;
  /** Sends a line of progress to the user. */
  progress(text: string): void;
}

interface CodeToolFlags {
  /** 1 to 64 letters, digits, - and _. */
  name: string;
  /** The model reads it. */
  description: string;
  /** The tool changes nothing: it may run again after a failure. */
  readOnly?: boolean;
  /** A second call with the same arguments changes nothing more. */
  idempotent?: boolean;
  /** Asks the user before each call. */
  approve?: boolean;
  /** Arguments that we fill in with the user; the model does not see them. */
  bind?: Readonly<Record<string, '$user.id' | '$user.name'>>;
}

/** A tool that a program passes to `runAgent` or `createRuntime`. `defineTool` infers the type of its arguments. */
export interface CodeTool extends CodeToolFlags {
  /** An object of zod 4, or JSON Schema with `type: 'object'`; absent = no arguments. */
  parameters?: z.ZodObject | JsonObject;
  /** Returns JSON. An exception is logged; the model reads its message only if it has `expose: true`. */
  run(args: object, context: CodeToolContext): unknown;
}

/** An agent with functions of the program that defines it. */
export interface CodeAgent extends Agent {
  functions?: readonly CodeTool[];
}

type ArgumentsOf<Parameters> = Parameters extends z.ZodType ? z.output<Parameters> : JsonObject;

/** Returns the tool unchanged; its function gets the arguments in the type of `parameters`. */
export function defineTool<Parameters extends z.ZodObject | JsonObject = JsonObject>(
  tool: CodeToolFlags & {
    parameters?: Parameters;
    run(args: ArgumentsOf<Parameters>, context: CodeToolContext): unknown;
  },
): CodeTool {
  return tool;
}

/** Where these tools come from, in lists of tools. */
const SOURCE = 'code';
const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {} };

/** Opens the tools that a program passes. Throws `config_invalid` for a tool that no model could call. */
export function createCodeSource(given: readonly CodeTool[]): ToolSource {
  const tools = given.map((tool, index) => toTool(tool, index));
  const names = tools.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0) throw invalid(twice, 'name', `is the name of two tools: ${names[twice]}`);
  return {
    name: SOURCE,
    tools: async () => tools,
    status: () => ({ state: 'ready', tools: tools.map(({ name, description }) => ({ name, description })) }),
    close: async () => {},
  };
}

const Flag = z.boolean().optional();
const Shape = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, - and _'),
  description: z.string().regex(/\S/, 'must not be empty'),
  parameters: z.unknown().optional(),
  readOnly: Flag,
  idempotent: Flag,
  approve: Flag,
  bind: z.record(z.string(), z.enum(['$user.id', '$user.name'])).optional(),
  run: z.unknown().refine((run) => typeof run === 'function', 'must be a function'),
});

function toTool(given: CodeTool, index: number): Tool {
  const checked = Shape.safeParse(given);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw invalid(index, issue?.path.join('.') ?? '', issue?.message ?? 'is not valid');
  }
  const { name, description, readOnly = false, idempotent = false, approve = false, bind = {} } = checked.data;
  const { parameters = NO_ARGUMENTS } = given;
  const parse = isZod(parameters) ? (args: JsonObject) => parameters.safeParseAsync(args) : undefined;
  return {
    name,
    description,
    inputSchema: toJsonSchema(parameters, index),
    readOnly,
    idempotent,
    needsApproval: approve,
    source: SOURCE,
    isCode: true,
    bind,
    async run(args, context) {
      const parsed = await parse?.(args);
      if (parsed && !parsed.success) return invalidArguments(name, parsed.error);
      return runFunction(given, parsed?.data ?? args, context);
    },
  };
}

async function runFunction(
  tool: CodeTool,
  args: object,
  { user, callId, signal, progress }: ToolContext,
): Promise<ToolOutcome> {
  try {
    const returned = await tool.run(args, { user, callId, signal, progress: (text) => progress(String(text)) });
    return { result: JSON.parse(JSON.stringify(returned ?? null) ?? 'null') as Json };
  } catch (error) {
    const words = exposedWords(error);
    if (words === undefined) throw error;
    return { error: { error_type: 'ToolInvocationError', message: words } };
  }
}

/** Rules that JSON Schema cannot express, such as those of `refine`, are checked by zod itself. */
function invalidArguments(name: string, { issues }: z.ZodError): ToolOutcome {
  const details = issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const list = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  const message = `The arguments of ${name} are not valid: ${list}.`;
  return { error: { error_type: 'ValidationError', message, details } };
}

function isZod(parameters: z.ZodObject | JsonObject): parameters is z.ZodObject {
  return '_zod' in parameters;
}

function toJsonSchema(parameters: unknown, index: number): JsonObject {
  // Another library's schema may look like JSON Schema; zod 3 has this mark too.
  const isForeign = isObject(parameters) && '~standard' in parameters && !('_zod' in parameters);
  if (!isObject(parameters) || isForeign) throw invalid(index, 'parameters', 'must be a zod 4 object or JSON Schema');
  const schema = '_zod' in parameters ? fromZod(parameters, index) : plain(parameters, index);
  if (schema.type !== 'object') throw invalid(index, 'parameters', 'must describe an object');
  return schema;
}

function fromZod(parameters: unknown, index: number): JsonObject {
  try {
    // The value has zod's mark; a schema of another kind than an object is refused by the caller.
    const { $schema: _, ...schema } = z.toJSONSchema(parameters as z.ZodType, { io: 'input' });
    return plain(schema, index);
  } catch (error) {
    throw invalid(index, 'parameters', `cannot be JSON Schema: ${error instanceof Error ? error.message : error}`);
  }
}

/** A copy, so that a later change of the program's object changes no tool. */
function plain(schema: object, index: number): JsonObject {
  try {
    return JSON.parse(JSON.stringify(schema)) as JsonObject;
  } catch {
    throw invalid(index, 'parameters', 'must be plain JSON');
  }
}

function invalid(index: number, path: string, message: string): AppError {
  const place = path ? `tools[${index}].${path}` : `tools[${index}]`;
  return new AppError('config_invalid', { detail: `${place}: ${message}.` });
}
