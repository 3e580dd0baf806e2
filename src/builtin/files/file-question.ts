import { cleanText, stripPoliteness } from '../../language/clean-text.ts';
import type { AttachedFile } from './attached-files.ts';
import { hasHint, scoreName } from './choose-files.ts';

const pattern = (source: string) => new RegExp(source, 'is');
const IT = `(?:(?:all|both|each)(?: of (?:it|them|these|those))?|it|this|that|these|those|them|they|everything)`;
const TELL = String.raw`(?:(?:and|so|then)\s+)?(?:(?:tell|show) (?:me|us) )?`;
const READ_IT = pattern(
  String.raw`^(?:read|open|summari[sz]e|sum up|describe|explain|transcribe|view|look at|go through|tell me about|show(?: me)?(?= (?:it|this|that)\b))(?: me| us)?(?: out| aloud)?(?: ${IT})?(?: (?:out|aloud|to me|to us|for me|for us|all|both|over|again))*$`,
);
const WHAT_IT_SAYS = pattern(
  `^${TELL}what(?:'s| is| are| was| does| do| did)? ${IT}(?: all)?(?: (?:says?|said|means?|contains?|about|reads?|shows?|is|are|for|tells?))?(?: (?:about|regarding|on) .+| me| us| here| there| all)*$`,
);
const WHAT_IS_IN_IT = pattern(
  `^${TELL}what(?:'s| is| was| stands?)(?: written)? (?:(?:in|inside|on)(?: ${IT}| there| here)|inside|written)(?: there| here)?$`,
);
const FILE_WORD = /\b(?:files?|attachments?|attached|documents?)\b/i;
const READING =
  /^(?:read|open|show|summari[sz]e|sum up|describe|explain|transcribe|quote|view|compare|look at|look in|go through|find|search|tell (?:me|us)|give (?:me|us))\b/i;
const QUESTION =
  /^(?:and |so )?(?:what|what's|which|who|who's|whose|when|where|how|why|is|are|was|were|does|do|did|has|have|can|could)\b/i;
const ABOUT_TEXT =
  /\b(?:say|says|said|state|states|contain|contains|mean|means|mention|mentions|inside|written|text|content|contents|about|show|shows|read|in the)\b/i;
/** Something to do later, not a question now. */
const LATER = /\b(?:tomorrow|tonight|later|next (?:week|month)|(?:by|on|before|until) \w+day)\W*$/i;
const OWN_TASKS = /\bmy (?:\w+ )?(?:tasks?|to-?dos?|list|reminders?)\b|\bi (?:need|have|got) to do\b/i;
const READ_ON =
  /^(?:(?:read|go|carry) on|(?:continue|keep)(?: (?:reading|going))|read (?:more|further|the rest)|(?:show|tell|give) me (?:more|the rest))(?: (?:of|in|with) .+)?$/i;
const MORE = /^(?:more|continue|next(?: page)?|and then|the rest|what else|what's next)$/i;
const FIND = /^(?:find|search(?: for)?|look for|look up)\s+(?:the (?:word|text|passage)s?\s+)?(.+?)\s+in\s+.+$/i;

export interface FileTopic {
  files: readonly AttachedFile[];
  /** The files of this message. */
  brought: readonly AttachedFile[];
  /** The files that this message or the previous one was about. */
  near: readonly AttachedFile[];
}

/** The question without politeness and closing marks. */
export function toAsked(text: string): string {
  return stripPoliteness(cleanText(text)).replace(/[\s.!?]+$/, '');
}

/** True if a message is clearly about files: it refers to a near one, or names one and asks to read it. */
export function asksAboutFiles(text: string, { files, brought, near }: FileTopic): boolean {
  const asked = toAsked(text);
  if (LATER.test(asked) || OWN_TASKS.test(asked)) return false;
  if (READ_IT.test(asked) || WHAT_IT_SAYS.test(asked) || WHAT_IS_IN_IT.test(asked)) return near.length > 0;
  const isNamed = FILE_WORD.test(asked) || hasHint(asked, near) || files.some((file) => scoreName(file, asked) > 0);
  if (!isNamed) return false;
  return READING.test(asked) || (QUESTION.test(asked) && (brought.length > 0 || ABOUT_TEXT.test(asked)));
}

/** "read on" works whenever something was read; "more" only right after it. */
export function asksToReadOn(text: string, isRightAfter: boolean): boolean {
  const asked = toAsked(text);
  return READ_ON.test(asked) || (isRightAfter && MORE.test(asked));
}

/** The text to find in a file: "find the deposit in the contract". */
export function readWanted(text: string): string | undefined {
  return FIND.exec(toAsked(text))?.[1]?.replace(/^(?:the|a|an)\s+|["']/gi, '');
}
