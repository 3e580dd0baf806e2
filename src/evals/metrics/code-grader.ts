import { AppError } from '../../errors.ts';
import { userFromId } from '../../identity/user.ts';
import type { Ids } from '../../ids.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { CodeMetric } from '../../schema/tests/evaluation.ts';
import { createFunctionSource } from '../../tools/functions/function-tools.ts';
import type { ToolSource } from '../../tools/tool.ts';
import type { Measured } from './measure-text.ts';

export interface Graders {
  grade(metric: CodeMetric, input: JsonObject): Promise<Measured & { passed?: boolean }>;
  close(): Promise<void>;
}

const GRADER_MS = 30_000;

/** Runs the author's graders in the thread of function tools, without the environment's secrets. */
export function createGraders({ folder, ids }: { folder: string; ids: Ids }): Graders {
  const sources = new Map<string, ToolSource>();
  const user = userFromId(ids.uuid());
  const open = (grader: string): ToolSource => {
    const [file = '', exported = ''] = grader.split(':');
    const known = sources.get(grader);
    if (known) return known;
    const shared = { description: 'a grader', parameters: { type: 'object' }, env: {}, bind: {} };
    const tool = { ...shared, name: 'grader', type: 'function' as const, file, function: exported };
    const source = createFunctionSource({
      name: grader,
      folder,
      tools: [{ ...tool, approve: false, idempotent: true }],
    });
    sources.set(grader, source);
    return source;
  };
  return {
    async grade({ grader }, input) {
      const signal = AbortSignal.timeout(GRADER_MS);
      const [tool] = await open(grader).tools(user, { signal });
      const ask = () => Promise.reject(new Error('a grader cannot ask'));
      const context = { user, conversationId: '', callId: ids.ulid(), signal, progress: () => {}, ask };
      const outcome = await tool?.run(input, context);
      if (!outcome || 'error' in outcome) {
        const detail = `${grader}: ${outcome?.error.message.replace(/^grader cannot be used: /, '') ?? 'it did not run'}`;
        throw new AppError('tool_unavailable', { detail });
      }
      return readGrade(grader, outcome.result);
    },
    async close() {
      await Promise.all([...sources.values()].map((source) => source.close()));
    },
  };
}

/** A grader returns true or false, a number from 0 to 1, or an object with score, passed and reason. */
function readGrade(grader: string, value: Json): Measured & { passed?: boolean } {
  if (typeof value === 'boolean') return { score: value ? 1 : 0, passed: value };
  const parts: JsonObject = isObject(value) ? value : { score: value };
  const { score, passed, reason } = parts;
  if (typeof score !== 'number' || !(score >= 0 && score <= 1)) {
    throw new AppError('tool_unavailable', { detail: `${grader}: it must return true, false or a number from 0 to 1` });
  }
  return { score, ...(typeof passed === 'boolean' && { passed }), ...(typeof reason === 'string' && { reason }) };
}
