/** Words before an order or a report that say nothing about it. */
const OPENING =
  /^(?:ok(?:ay)?|k|so|well|very well|right|alright|great|good(?: news| morning| evening)?|yay|yes|yep|yeah|yup|oh|ah|hey|hi(?: there)?|hello|phew|finally|and|also|then|now|please(?: to(?= \p{L}))?|pls|plz|kindly|thanks|thank you|cool|nice|perfect|woo+(?:hoo)?|hooray|btw|by the way|fyi|(?:quick )?update|just|first|next|lastly|on second thoughts?|change of plans?|turns out|clean ?up|oops|sorry|actually|wait|hmm+|um+|er+m?|uh+)(?:[\s,:!.-]+|$)/iu;
/** A request in the form of a question or a wish. */
const REQUEST =
  /^(?:(?:can|could|would|will) (?:you|u)(?: (?:please|kindly|also|just))*|you (?:can|may|could)(?: (?:now|also|just))*|go ahead and|i(?:'d| would) like (?:you )?to|i (?:want|need) you to|i want to|feel free to|would you mind|let's)\s+/i;
const CLOSING =
  /[\s,.!-]+(?:please|pls|plz|thanks(?: (?:a lot|so much))?|thank you(?: (?:so|very) much)?|thx|ty|cheers|ta|now|already|finally|too|as well|also|again|then|at (?:long )?last|just now|really|in the end|after all|thank (?:god|goodness)|yay|phew|woo+(?:hoo)?|mate|dear|love|btw|ok(?:ay)?|haha+|:\)|x{1,3})$/i;
const EDGE = /^[\s,.!;:-]+|[\s,.!?;:-]+$/g;

/** A clause without the words around it. `isRequest`: it is worded as a request to do something. */
export interface Bare {
  words: string;
  isRequest: boolean;
}

/** Takes away what opens and closes a clause and says nothing. Quotes at its edges stay. */
export function withoutCourtesy(clause: string): Bare {
  let words = clause.replace(EDGE, '');
  let isRequest = false;
  for (;;) {
    const opened = words.replace(OPENING, '');
    const asked = opened.replace(REQUEST, '');
    if (asked !== opened) isRequest = true;
    const next = asked
      .replace(/\s+for me$/i, '')
      .replace(CLOSING, '')
      .replace(EDGE, '');
    if (next === words) return { words, isRequest };
    if (next === '') return { words: '', isRequest };
    words = next;
  }
}

/**
 * Words that say nothing about the subject of a sentence, for each kind of reader. A word belongs here only if it does
 * so in any agent: the words of a trade are data of the agent that needs them.
 */
const FILLERS = {
  /** Any question about data. */
  question:
    'a an the this that these those my our your his her their its it they them we us i me you he she who whom ' +
    'whose which what when where why how is are was were be been being am do does did done doing have has had ' +
    'having can could should would may might must shall will yes and or but if then than so as of in on at by to ' +
    'from for with within about into over under between across per via during after before since until up down ' +
    'off out like there here all any some each every both either neither other others another same such only just ' +
    'also too very ever still yet more less many much few several lot lots enough one tell show list give get ' +
    'find see view display analyze analyse calculate report describe explain provide please let want need know ' +
    'look looking well now currently current today recent recently usually often frequently mean total overall ' +
    'sum count number numbers amount rate rates ratio percent percentage share figure figures level levels metric ' +
    'metrics data information details kind kinds type types way ways thing things something anything e g eg ie ' +
    'etc big good bad likely main key happen happening make made making use used using go going come coming ' +
    'perform performing performance affect affects affected affecting impact impacts relate related correlate ' +
    'correlated correlation cause causes because due lead leads based issue issues problem problems higher lower ' +
    'last past quickly among',
  /** Choosing a domain: ranks, times and measures fit every domain. */
  domain:
    'not no nor without most least compare comparison top bottom best worst highest lowest high low large largest ' +
    'small smallest biggest next yesterday tomorrow week weeks weekly month months monthly quarter quarters ' +
    'quarterly year years yearly day days daily date time times average median trend trends pattern patterns ' +
    'change changed changes changing differ different difference differences vary varies variation distribution ' +
    'vs versus two three four five six seven eight nine ten new old consistently first second third match matches ' +
    'matching effective efficient group groups people reason reasons risk risks slow slower slowly fast quick',
  /** Finding a task, a tool or a file by its words. */
  reference:
    'a an the my our your his her their this that these those to of for on in at by with from and or about is are ' +
    'was were be been it its i me we you us do did does have has had will would can could should please just so ' +
    'as task tasks item items thing things one ones todo todos reminder entry',
  /** Searching documents. */
  document:
    'a an the this that these those my our your his her their its it they them we us i me you he she who whom whose ' +
    'which what when where why how is are was were be been being am do does did done doing have has had having can ' +
    'could should would may might must shall will and or but if then than so as of in on at by to from for with ' +
    'within about into over under between through during after before since until there here any some each every ' +
    'many much both either neither other another such only just also too very not no nor because while against again ' +
    'further once more most few own same all up down out off above below please tell know dont doesnt isnt arent ' +
    'cant im ive youre hello hi hey thanks thank ok okay yes',
  /** Words of spoken questions to documents: they are searched for, but their absence says nothing. */
  spoken:
    'get got gets getting give gives gave let lets make makes made want wants wanted need needs needed now pls plz ' +
    'whats wheres hows whos ill wont didnt find see say said says look like go goes going come comes coming really ' +
    'quite maybe still yet already thing things something somebody someone anybody anyone everyone anything nothing ' +
    'myself yourself big sorry till happen happens think ever never actually good best better nice keep put take ' +
    'takes use used uses using',
} as const;

const listOf = (...texts: string[]): ReadonlySet<string> => new Set(texts.join(' ').split(' '));

export const DOMAIN_FILLER = listOf(FILLERS.question, FILLERS.domain);
export const STOP_WORDS = listOf(FILLERS.reference);
export const DOCUMENT_FILLER = listOf(FILLERS.document);
export const SPOKEN_FILLER = listOf(FILLERS.spoken);

/** Ways to begin a question to data, separated by |. */
export const SHOW_PHRASES =
  'show|show me|list|give me|tell me|display|list all|show all|show me all|i want to see|i want|let me see|can you show me|could you show me|can you tell me|give|tell us|show us|i would like to know|i need|i would like to see|please show me|name|name the|present|report|give us|let us see|get me|pull up';
