export type Topic = 'greeting' | 'thanks' | 'others' | 'help' | 'answer' | 'forbidden' | 'unknown';

const HELP =
  /^(?:\/?(?:help|commands|usage)(?: me)?(?: please)?|\?+|(?:so |and )*what (?:(?:can|could|do) you (?:actually |really |even )*(?:do|help(?: me)? with)(?: for me| here)?|can i (?:say|ask|do)(?: to you| you| here)?|are you(?: able to do| for)?|(?:is|are) your (?:commands|abilities|features|capabilities))|who are you|how (?:does (?:this|it) work|do (?:i use (?:this|it|you)|you work)|can you help(?: me)?|to use (?:this|it|you)))[\s.!?]*$/i;
const CAN_YOU =
  /^(?:so |and |hey )*(?:can|could|do|are) you (?:able to |also |know how to )?(?:\w+ )?(?:delete|remove|add|create|move|rename|change|complete|mark|undo|remind|do|handle|show|list|manage)\w*(?: (?:tasks|things|reminders|lists|due dates|dates|them|names|titles|lots of tasks|many tasks|several tasks|everything))?(?: (?:too|as well|at once|in bulk))?\s*\?+$/i;
/** An answer to nothing. */
const BARE_ANSWER =
  /^(?:yes|yep|yeah|yup|no|nope|nah|ok|okay|sure|maybe)\b[\s,.!]*(?:please|thanks|thank you|thing)?[\s.!]*$/i;
const OTHERS =
  /\b(?:(?!today|tomorrow|yesterday|tonight|week|month|day|monday|tuesday|wednesday|thursday|friday|saturday|sunday|what|that|let|it|here|there|who|how|where|when|task|list)[a-z]+'s (?:tasks?|to-?dos?|(?:to-?do |task )?list|reminders)|(?:other|another|different) (?:user|person|people|account)s?(?:'s?|s')?(?: ?(?:tasks?|to-?dos?|list))?|(?:everyone|everybody|somebody|someone)(?: else)?'s (?:tasks?|list|to-?dos?)|all users|tasks? (?:of|for|from) (?:user|other users|everyone|all)\b)/i;
const GREETING = /^(?:hi|hello|hey|yo|gidday|greetings|good (?:morning|afternoon|evening|day))\b[\s\w,!.]{0,20}$/i;
const THANKS =
  /^(?:(?:lol|haha|ok(?:ay)?|oh|great|alright|well|no|that's all|done)[\s,.!]+)*(?:thanks|thank you|thx|ty|tysm|cheers|great|cool|nice|awesome|perfect|no problem|no worries|all good|got it|sounds good|bye|goodbye|farewell|ciao|see you|good night|well done|good job|nice work|bravo)\b[\s\w,!.']{0,24}$/i;
const WISHES =
  /^(?:(?:an?|have an?|and an?)\s+)?(?:very\s+)?(?:happy|merry|good|nice|lovely)\s+(?:new year|christmas|holidays?|birthday|weekend|evening|day|night|easter|time)\b[\s\w,!.']{0,30}$/i;
/** "hi, add milk" is an order. */
const ORDER =
  /\b(?:add|remind|show|lists?|delete|remove|mark|move|rename|put|buy|call|tasks?|undo|change|complete|tick|what|when|which)\b/i;
const TAKES_TITLE = /^(?:please |hey |ok )*(?:remind|add|create|remember|don'?t forget|put|i need|i have)\b/i;

/** Talk that asks for no change and no list, by closed forms. */
export function readSmallTalk(clean: string): Topic | undefined {
  if (HELP.test(clean) || CAN_YOU.test(clean)) return 'help';
  if (BARE_ANSWER.test(clean)) return 'answer';
  if (OTHERS.test(clean) && !TAKES_TITLE.test(clean)) return 'others';
  if (ORDER.test(clean)) return undefined;
  if (GREETING.test(clean)) return 'greeting';
  return THANKS.test(clean) || WISHES.test(clean) ? 'thanks' : undefined;
}
