import { stem } from '../../../language/words.ts';
import { isPronoun } from '../resolve-reference.ts';
import { isPlace, type Named, namesTasks, namesWhole } from './names-task.ts';
import { clause, isSameName } from './plain-words.ts';
import { hasPerson, verbOf } from './verb-families.ts';

const LIST = String.raw`(?:\s+(?:from|off(?: of)?)\s+(?:(?:(?:the|my|our)\s+)?(?:\w+\s+)?(?:list|tasks|to-?dos?)|there|here))?`;
/** Verbs that mean the list, whatever stands behind them. */
const CLEAR = clause(String.raw`(delete|remove|erase|rm|del)\s+(.+?)${LIST}`);
/** Verbs that may be meant of the thing itself ("scrap the car"), or of what was just done ("scrap it"). */
const LOOSE = clause(
  String.raw`(get rid of|discard|scrap|bin|trash|ditch|dump|drop|cancel|scratch|strike|kill|chuck(?: out)?|throw (?:out|away)|axe|nix|clear(?: out)?|toss)\s+(.+?)(${LIST})`,
);
const OFF = clause(
  String.raw`(take|cross|strike|knock)\s+(.+?)\s+off(?:\s+(?:of\s+)?(?:the|my|our)\s+(?:\w+\s+)?(?:list|tasks|to-?dos?)|\s+(?:there|here))`,
);
const NEEDLESS = clause(
  String.raw`(?:i|we)\s+(?:no longer\s+(?:need|want)|(?:don'?t|do not)\s+(?:need|want)(?=.*\s(?:any ?more|any longer)$))\s+(?:to\s+)?(.+?)(?:\s+(?:any ?more|any longer))?`,
);

/** True if a clause plainly orders to remove these tasks from the list. */
export function isPlainDeletion(words: string, { tasks }: Named): boolean {
  const named = { tasks, known: [] };
  const [, verb, name = ''] = CLEAR.exec(words) ?? OFF.exec(words) ?? [];
  const isWhole = (said: string) => tasks.length > 1 || tasks.every((task) => namesWhole(said, task));
  if (verb !== undefined) return !isOwnVerb(verb, named) && isWhole(name) && namesTasks(name, named);
  const [, loose, thing = '', list] = LOOSE.exec(words) ?? [];
  const needless = NEEDLESS.exec(words)?.[1] ?? '';
  // "I don't need Bob any more" is not about calling him.
  if (loose === undefined)
    return isWhole(needless) && namesTasks(needless, named) && !tasks.some(({ title }) => hasPerson(title));
  const isListed = list !== '' || / (?:task|one|reminder|item|entry)$/i.test(thing);
  // "strike sign the form": with the verb of the title the errand is meant, and not the thing.
  const isTask = isListed || tasks.every(({ title }) => verbOf(title) === undefined || isSameName(thing, title));
  return (
    isTask &&
    isWhole(thing) &&
    !isPronoun(thing) &&
    !isPlace(thing) &&
    !isOwnVerb(loose, named) &&
    namesTasks(thing, named)
  );
}

/** "cancel the gym" may be what the task "cancel gym membership" asks for. */
function isOwnVerb(verb: string, { tasks }: Named): boolean {
  return tasks.some(({ title }) => verbOf(title) === stem(verb.toLowerCase().split(' ')[0] ?? ''));
}
