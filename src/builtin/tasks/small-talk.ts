/** Words before a remark. */
const OPENING =
  /^(?:(?:ok(?:ay)?|oh|ah|ugh|lol|haha|well|and|but|so|yes|no|hm+|phew|wow|great|cool|nice|alright|right)\b[\s,.!]*)+(?=\S)/i;
const GREETING = /^(?:hi|hello|hey|yo|greetings|good (?:morning|afternoon|evening|day))\b[\s\w,!.]{0,20}$/i;
const GREETING_FIRST =
  /^(?:hi|hello|good (?:morning|afternoon|evening|day))[,.!]\s+(?:i hope|how are|nice|lovely|dear|there|how do)\b[^:;"]*$/i;
const THANKS =
  /^(?:(?:lol|haha|ok(?:ay)?|oh|great|alright|well|no)[\s,.!]+)*(?:thanks|thank you|thx|ty|tysm|cheers|great|cool|nice|awesome|perfect|no problem|no worries|all good|got it|sounds good|bye|goodbye|farewell|ciao|see you|good night|well done|good job|nice work|bravo)\b[\s\w,!.]{0,20}$/i;
const WISHES =
  /^(?:(?:an?|have an?|and an?)\s+)?(?:very\s+)?(?:happy|merry|good|nice|lovely)\s+(?:new year|christmas|holidays?|birthday|weekend|evening|day|night|easter|time)\b[\s\w,!.']{0,30}$/i;
/** "hi, add milk" is an order. */
const ORDER = /\b(?:add|remind|show|lists?|delete|remove|mark|move|rename|put|buy|call|tasks?|undo|change|complete)\b/i;
/** A sentence with a subject, as people say it to somebody who listens. */
const STATEMENT =
  /^(?:(?:i|we)(?:'m|'re| am| are| was| were| feel| felt| hate| love| hope| wonder)|he|she|they|he's|she's|they're|it|it's|you|you're|u r|ur|that|that's|this is|there|there's|everything|nobody|nothing|what an?|how (?:nice|lovely|sweet|kind|funny)|(?:my|our|his|her|the|these|those|some)\s+\w+(?:\s+\w+)?)\s+(?:\w+\s+){0,3}?(?:is|are|was|were|am|has|have|had|never|always|says?|said|seems?|looks?|makes?|made|sounds?|keeps?|will|would|can|can't|did|does|doesn't|so|such|very|too|tired|done|lied|went|got|rang)\b|^(?:i'm|i am|you're|you are|he's|she's|they're|it's|that's|they are|he is|she is|it is)\s+\S/i;

/** A greeting, thanks or a good wish. */
export function readSmallTalk(clean: string): 'greeting' | 'thanks' | undefined {
  if (ORDER.test(clean)) return undefined;
  if (GREETING.test(clean) || GREETING_FIRST.test(clean)) return 'greeting';
  return THANKS.test(clean) || WISHES.test(clean) ? 'thanks' : undefined;
}

/** A remark that asks for nothing: "my flatmate never cleans". */
export function isRemark(clean: string): boolean {
  return !/\?\s*$/.test(clean) && STATEMENT.test(clean.replace(OPENING, ''));
}
