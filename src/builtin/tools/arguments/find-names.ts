import type { Found } from './candidate.ts';

const WORD = String.raw`(?:(?:[A-Z]\.)+|\p{Lu}[\p{L}\d_&'’-]*|(?:St|Dr|Mr|Mrs|Ms|Mt|Ft)\.)`;
const STREET = String.raw`\d+(?= (?:[A-Z][a-z]+ )+(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Lane|Ln|Drive|Dr|Way|Park|Apartments|Court|Ct)\b)`;
const NAME = new RegExp(
  String.raw`(?<![\p{L}\d_'@-])(?:${STREET}|${WORD})(?:(?:\s+(?:of|the|de|la|and|&|of the)\s+|,\s+|\s+)(?=[\p{Lu}\d])(?:${WORD}|\d+(?=\s|$|[,.?!](?!\d))))*`,
  'gu',
);
const NOT_A_NAME =
  /^(?:I|I'm|I'd|I've|I'll|What|What's|Which|Who|Who's|How|How's|When|Where|Why|Can|Could|Would|Will|Please|Find|Get|Show|Tell|Give|Is|Are|Do|Does|The|A|An|My|Our|Your|His|Her|Their|This|That|These|It|It's|We|You|Calculate|Create|Add|Set|Search|Book|Play|Send|Delete|Remove|Update|Make|Check|Look|Help|Let|Let's|If|In|On|At|For|From|With|Also|And|Or|But|So|Hey|Hi|Hello|Compute|Determine|Convert|List|Retrieve|Fetch|Order|Buy|Change|Use|Using|Provide|Start|Stop|Turn|Open|Close|Lock|Unlock|Write|Read|Run|Put|Need|Want|Return|Returns|Generate|Configure|Register|Rename|Move|Copy|Translate|Attend|Reserve|Schedule|Pull|Bring|Display|Recommend|Suggest|Today|Tomorrow|Tonight|Yesterday|Yes|No|Not|OK|Okay|Thanks|Now|Then|There|Are|Was|Were|Has|Have|Had|Maybe|Just|Some|Any|All|Both|Each|Ratings|Help|Address|Include|Including|Ring|Call|Text|Tell|Enter|Note|Warm|Heat|Pause|Skip|Cancel|Block|Report|Kindly|Be|Do|Pay|Transfer|Email|Remind|Wake|Keep|Share|Upload|Download|Increase|Decrease|Raise|Lower|Extend|Renew|Tip|Track|Log|Record|Save|Assign|Invite|Ask|Switch|Mute|Dim|Split|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|AM|PM|ID|IDs|UUID|API|URL|IP|CIK|SSL|OK)$/;

/** The capitalized names of a text. */
export function findNames(text: string): Found[] {
  return [...text.matchAll(NAME)].flatMap((match) => readName(match, text));
}

/** A capitalized name without the first words of the sentence. */
function readName(match: RegExpExecArray, text: string): Found[] {
  let at = match.index;
  let value = match[0];
  for (;;) {
    const first = /^\S+/.exec(value)?.[0] ?? '';
    const word = first.replace(/[,.!?]$/, '');
    const isBeginning = /(?:^|[.!?:,;"]\s*)$/.test(text.slice(0, at)) || at > match.index;
    if (!NOT_A_NAME.test(word) || (!isBeginning && /\bthe\s+$/i.test(text.slice(0, at)) && /\s\p{Lu}/u.test(value)))
      break;
    const gap = /^\S+\s*/.exec(value)?.[0].length ?? value.length;
    at += gap;
    value = value.slice(gap);
    if (value === '') return [];
  }
  const clean = trimName(value.replace(/(?:\s+and)?\s+I(?:['’](?:m|ve|d|ll))?$/, ''), text, at);
  // The first word of a sentence is capitalized anyway.
  const isFirst =
    /(?:^|[.!?:]\s+)$/.test(text.slice(0, at)) &&
    !/[\s,]/.test(clean) &&
    /^[A-Z][a-z]+$/.test(clean) &&
    !/^(?:['’]s|\s+[A-Z])/.test(text.slice(at + clean.length));
  return !/\p{L}/u.test(clean) || isFirst ? [] : [{ value: clean, at, length: clean.length }];
}

/** "Ann's profile" speaks of Ann, "at Luigi's" of Luigi's. */
function trimName(value: string, text: string, at: number): string {
  const plain = value.replace(/[.,:;!?-]*$/, '').replace(/\s+of\s+\d{4}$/, '');
  const isOwner =
    /^\s+[a-z]/.test(text.slice(at + plain.length)) &&
    !/\b(?:at|from|to|near|called|named|by)\s+$/i.test(text.slice(0, at));
  return isOwner ? plain.replace(/['’]s$/, '') : plain;
}
