import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { AppError, toAppError } from '../errors.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import { didYouMean } from '../yaml/did-you-mean.ts';
import { asTyped, withDataFolder } from './called-as.ts';
import { addCommands } from './program.ts';

/** Entry point: every failure becomes a message on stderr and an exit code. */
async function main(): Promise<number> {
  const program = addCommands(new Command());
  try {
    refuseMisspelt(
      process.argv[2],
      program.commands.map((command) => command.name()),
    );
    await compiledWhole(() => program.parseAsync());
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageCode(process.argv[2]);
    return report(error, process.argv.includes('--debug'));
  }
}

/**
 * Compiles the modules that `load` imports with all of their functions. Node writes a module to its compile cache before it
 * runs, so functions that V8 compiles with their first call would be parsed again at every start.
 */
function compiledWhole<T>(load: () => Promise<T>): Promise<T> {
  if (!getCompileCacheDir()) return load();
  setFlagsFromString('--no-lazy');
  try {
    // An import reads and compiles its modules before it returns its promise.
    return load();
  } finally {
    setFlagsFromString('--lazy');
  }
}

/** Exit code 1 of `test` means that cases failed. */
function usageCode(command: string | undefined): number {
  return command === 'test' ? 2 : 1;
}

function report(error: unknown, withDetails: boolean): number {
  const known = toAppError(error);
  process.stderr.write(`${sanitizeText(withDataFolder(asTyped(known.message)))}\n`);
  if (withDetails || !(error instanceof AppError)) process.stderr.write(`${sanitizeText(String(known.cause ?? ''))}\n`);
  return known.exitCode;
}

// The reader of a pipe may leave early, as `head` does.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await main();

/** Rejects a misspelt command, which would otherwise be taken for the path of an agent file. */
function refuseMisspelt(word: string | undefined, commands: readonly string[]): void {
  if (!word || word.startsWith('-') || commands.includes(word) || existsSync(word)) return;
  const advice = didYouMean(word, commands);
  if (advice !== '') throw new AppError('usage', { detail: `${word} is not a command${advice}` });
}
