import { existsSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { didYouMean } from '../yaml/did-you-mean.ts';

/** Rejects a misspelt command, which would otherwise be taken for the path of an agent file. */
export function refuseMisspelt(word: string | undefined, commands: readonly string[]): void {
  if (!word || word.startsWith('-') || commands.includes(word) || existsSync(word)) return;
  const advice = didYouMean(word, commands);
  if (advice !== '') throw new AppError('usage', { detail: `${word} is not a command${advice}` });
}
