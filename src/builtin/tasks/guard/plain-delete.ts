import { stem } from '../../../language/words.ts';
import { isPronoun } from '../resolve-reference.ts';
import { type Named, namesTasks } from './names-task.ts';
import { verbOf } from './verb-families.ts';

const LIST = String.raw`(?:\s+(?:from|off(?: of)?)\s+(?:(?:the|my|our)\s+(?:\w+\s+)?(?:list|tasks|to-?dos?)|there|here))?`;
const plain = (pattern: string) => new RegExp(`^${pattern}$`, 'iu');
/** Verbs that mean the list, whatever stands behind them. */
const CLEAR = plain(String.raw`(delete|remove|erase|get rid of|discard)\s+(.+?)${LIST}`);
/** Verbs of idioms: with "it" they take back what was just done. */
const LOOSE = plain(
  String.raw`(scrap|bin|trash|ditch|dump|drop|cancel|scratch|strike|kill|chuck(?: out)?|throw (?:out|away)|axe|lose|nix)\s+(.+?)${LIST}`,
);
const OFF = plain(
  String.raw`(take|cross|strike|knock)\s+(.+?)\s+off(?:\s+(?:of\s+)?(?:the|my|our)\s+(?:\w+\s+)?(?:list|tasks|to-?dos?)|\s+(?:there|here))`,
);
const NEEDLESS = plain(
  String.raw`(?:i|we)\s+(?:no longer\s+(?:need|want)|(?:don'?t|do not)\s+(?:need|want)(?=.*\s(?:any ?more|any longer)$))\s+(?:to\s+)?(.+?)(?:\s+(?:any ?more|any longer))?`,
);

/** True if a clause plainly orders to remove these tasks from the list. */
export function isPlainDeletion(words: string, named: Named): boolean {
  const [, verb, name = ''] = CLEAR.exec(words) ?? OFF.exec(words) ?? LOOSE.exec(words) ?? [];
  if (verb === undefined) return namesTasks(NEEDLESS.exec(words)?.[1] ?? '', named);
  const isIdiom = LOOSE.test(words) && (isPronoun(name) || /^(?:them|those|these|both|all)\b/i.test(name));
  // "cancel the gym" may be what the task "cancel gym membership" asks for.
  const isOwnVerb = named.tasks.some(({ title }) => verbOf(title) === stem(verb.toLowerCase().split(' ')[0] ?? ''));
  return !isIdiom && !isOwnVerb && namesTasks(name, named);
}
