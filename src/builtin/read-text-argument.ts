import { stripPoliteness, unquote } from './clean-text.ts';
import { splitWords, type ToolArgument } from './tool-document.ts';
import { type Supply, takeFirst } from './value-supply.ts';

const WHOLE_MESSAGE = /^(?:query|question|prompt|request|utterance|search|q|input|instruction)$/;
const FREE_TEXT =
  /^(?:text|message|content|title|body|description|term|topic|keyword|keywords|subject|note|name|comment|reason|summary|label)$/;
const PLACE =
  /^(?:location|city|place|address|country|where|destination|origin|region|state|town|area|venue|area|zip)$/;
const PLACE_LINKS: readonly [RegExp, string][] = [
  [/^(?:origin|from|source|start|departure)$/, 'from'],
  [/^(?:destination|to|target|arrival|end)$/, 'to'],
];

/** "what does a lamp cost", "how much is the lamp": what the question is about stands before its verb, or behind "is". */
const ASKED =
  /^(?:what (?:does|do|did) (.+?) (?:cost|mean|weigh|contain|measure)|how much (?:(?:is|are|was|were) (?:the |an? )?|(?:does|do) )(.+?)(?: cost)?)\s*[?.!]*$/i;

/** A text for an argument: named beside it, quoted, a name in capitals in the right place, or what is left of the message. */
export function readTextArgument(
  argument: ToolArgument,
  supply: Supply,
  all: readonly ToolArgument[],
): string | undefined {
  const words = splitWords(argument.name);
  const named = readNamed(words, supply) ?? readShaped(words, argument, supply);
  if (named !== undefined || !argument.isRequired) return named;
  return (
    readLinked(words, supply) ??
    takeFirst(supply, supply.quoted) ??
    takeFirst(supply, supply.names) ??
    readRest(words, supply, all.filter((other) => other.isRequired).length)
  );
}

/** "id is 42", "city: Paris", "status of open", "named 'x'". */
function readNamed(words: readonly string[], supply: Supply): string | undefined {
  const name = words.join('[ _-]?');
  const match = new RegExp(
    String.raw`\b${name}s?\b\s*(?:is|=|:|of|as|named|called|to)?\s*(?:"([^"]+)"|'([^']+)'|(?<=[=:]\s?|is )([\w@./-]+))`,
    'i',
  ).exec(supply.text);
  const value = match?.[1] ?? match?.[2] ?? match?.[3];
  if (!match || value === undefined) return undefined;
  const at = match.index + match[0].lastIndexOf(value);
  if (!supply.isFree(at, value.length)) return undefined;
  supply.take(at, value.length);
  return value;
}

/** Addresses and ids are known by how they look. */
function readShaped(words: readonly string[], { schema }: ToolArgument, supply: Supply): string | undefined {
  const shape =
    schema.format === 'email' || words.includes('email')
      ? /[\w.+-]+@[\w-]+\.[\w.-]*\w/
      : schema.format === 'uri' || words.some((word) => word === 'url' || word === 'uri')
        ? /https?:\/\/\S+/
        : words.includes('id')
          ? /\b(?=[\w-]*\d)[A-Za-z]*[\w-]*\d[\w-]*\b/
          : undefined;
  const match = shape?.exec(supply.text);
  if (!match || !supply.isFree(match.index, match[0].length)) return undefined;
  supply.take(match.index, match[0].length);
  return match[0];
}

function readLinked(words: readonly string[], supply: Supply): string | undefined {
  const link = PLACE_LINKS.find(([name]) => words.some((word) => name.test(word)))?.[1];
  const isPlace = words.some((word) => PLACE.test(word));
  if (!link && !isPlace) return undefined;
  const before = new RegExp(String.raw`\b(?:${link ?? 'in|at|near|for|around|to|from'})\s+(?:the\s+)?$`, 'i');
  const named = takeFirst(supply, supply.names, ({ at }) => before.test(supply.text.slice(0, at)));
  if (named !== undefined) return named;
  const plain = new RegExp(
    String.raw`\b(?:${link ?? 'in|at|near'})\s+([a-z][\w' -]*?)(?=\s+(?:to|from|on|at|for|with|and|by|in|tomorrow|today|next|this)\b|[?.!,]|$)`,
    'i',
  ).exec(supply.text);
  return plain?.[1]?.trim();
}

/** For a question the message itself; for other texts what follows the command. */
function readRest(words: readonly string[], { text }: Supply, required: number): string | undefined {
  if (words.some((word) => WHOLE_MESSAGE.test(word))) return text.trim();
  const isFree = words.some((word) => FREE_TEXT.test(word));
  if (!isFree && required > 1) return undefined;
  const command = stripPoliteness(text);
  const linked =
    askedThing(command) ?? /\b(?:about|for|to|of|called|named|saying|that|on|with|in|at)\s+(.+)$/is.exec(command)?.[1];
  const about = linked ?? (isFree ? command.replace(/^\S+\s+/, '') : '');
  const rest = unquote(about.replace(/^(?:the|an?)\s+/i, ''));
  return rest === '' ? undefined : rest;
}

function askedThing(command: string): string | undefined {
  const match = ASKED.exec(command);
  return match?.[1] ?? match?.[2];
}
