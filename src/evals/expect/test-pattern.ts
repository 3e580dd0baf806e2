import { runInThisContext } from 'node:vm';

/** Most expressions take microseconds. One that backtracks without end would stop the whole run. */
const LIMIT_MS = 1_000;

/** Tests a text with an expression of a case file. Throws if the expression takes too long. */
export function testPattern(pattern: string, flags: string, text: string): boolean {
  // Only the run of a script has a time limit. JSON texts are JavaScript literals.
  const [source, given, subject] = [pattern, flags, text].map((value) => JSON.stringify(value));
  try {
    return runInThisContext(`new RegExp(${source}, ${given}).test(${subject})`, { timeout: LIMIT_MS }) === true;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')) throw cause;
    const advice = 'write it without a repetition inside a repetition';
    throw new Error(`/${pattern}/ took longer than ${LIMIT_MS} ms; ${advice}.`, { cause });
  }
}
