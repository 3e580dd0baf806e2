/** How the speaker asks for what follows. `need`: "I have to …". `none`: nothing announces it. */
export type Asking = 'add' | 'need' | 'none';

export interface Peeled {
  core: string;
  asking: Asking;
}

const END = String.raw`(?=[\s,.!:;-]|$)[\s,.!:;-]*`;
/** Words that open a sentence and say nothing about it. */
const OPENER = new RegExp(
  String.raw`^(?:good (?:morning|afternoon|evening|day)|(?:hi|hey|hello|hiya|howdy|yo)(?: there| dear| again| all)?|morning|evening|afternoon|right|alright|okay|ok|oki|so|well|now|oh(?: (?:dear|god|no|yes|yeah|and|also|wait))?|ah|aw|um+|uh+|erm?|h+m+|actually|also|and|but|or|then|plus|firstly|first (?:thing|things first|of all|up)|secondly|finally|lastly|last(?: thing)?(?=[,:])|please(?: to)?|pls|plz|kindly|yes|yeah|yep|ye|yea|sorry|wait|hang on|hold on|lol|haha+|thanks|thank you|cheers|ta|great|perfect|cool|nice|lovely|dear|man|dude|mate|anyway|anyways|btw|by the way|omg|ugh|one (?:more|other|last)(?: thing| one| task| item)?|another(?: one| thing)|next(?= ?[:,])|again(?=[,:])|just|really|rather|probably|maybe|perhaps|as well(?= ?:)|too(?=[,:])|basically|literally|fine|fair enough|very well|on (?:second thoughts?|reflection)|let's see|let me see|let me think|tbh|ngl|aight|still(?= (?:need|have|got|must))|apparently|obviously|anyhow|meanwhile|namely|the following|these|this)${END}(?=\S)`,
  'i',
);
const POLITE = new RegExp(
  String.raw`^(?:(?:can|could|would|will|might|may) (?:you|u|i|we)(?: (?:please|kindly|also|just|be (?:so )?kind (?:enough )?(?:to|and)|be a dear and))*|do(?= (?:add|put|note|remind|also))|i(?:'d| would| should)? (?:want|like|need|love|wish)(?: (?:for )?you)?(?: that you)? to(?= (?:add|put|note|write|create|make|remind|remember|delete|remove|mark|move|change|rename|record|enter))|i want(?= (?:add|put|make|write|create|note)\b)|i(?:'m| am) (?:going|trying) to(?= (?:add|put|note))|be so kind (?:as )?to|help me(?: to)?(?= (?:add|put|note|remember))|go ahead and|do me a favou?r and|you (?:can|should|may|could)(?= (?:add|put|note|mark|delete|remove|cross|tick|move)))${END}(?=\S)`,
  'i',
);
const TASK = String.raw`(?:tasks?|to-?dos?|to do|items?|reminders?|entry|entries|things?|notes?|jobs?|chores?|errands?|ones?)`;
const ON_LIST = String.raw`(?:(?:on|to|in|into|onto) (?:my|the|our|this|that) (?:\w+ )?(?:list|to-?dos?|tasks)|on (?:there|it)|down)`;
const ADD = new RegExp(
  String.raw`^(?:(?:add|note|jot|log|include|append|new(?= (?:task|to-?do|item|reminder|one|entry|things?)|\s*:)|create|record|todo|to-?do)(?: (?:down|in|up|me|also|as well|too|another|an?|the|these|this|following|few|couple of|two|three|four|more|new|quick|${TASK}|for me|${ON_LIST}|called|titled|named|saying|that says|to(?= \w+)|that (?:i|we) (?:need|have|must|should)(?: to)?))*|(?:put|stick|pop|chuck|throw|write|bung|set|make|get|enter|whack|slap|give me|schedule)(?: (?:me|also|in|up))?(?: (?:down|an?(?:other)? (?:new )?${TASK}(?: ${ON_LIST})?(?: (?:to|for|about|called|that says|saying))?|${ON_LIST}(?= ?:| \S)))+|put(?! .*\b(?:up|away|out|back|together|off)\b)|pencil in|${TASK}(?= ?:))${END}(?=\S)`,
  'i',
);
const REMIND = new RegExp(
  String.raw`^(?:(?:remind|ping|nudge|prompt) (?:me|us)(?: (?:please|again|also))?(?: (?:to|about|of|that (?:i|we)(?: (?:need|have|must|should))?(?: to)?|the))?|remember(?: me)?(?: to)?(?= \w+ \w)|(?:don'?t|do not|never)(?: let me)? forget(?: (?:to|about|that))?|make sure(?: (?:to|i|we|that i))?|be sure to|(?:mental )?note to self|(?:i|we) (?:mustn't|must not|can't|cannot|shouldn't|don't want to) forget(?: to)?)${END}(?=\S)`,
  'i',
);
const NEED = new RegExp(
  String.raw`^(?:(?:i|we|me)(?: (?:also|really|still|just|then|definitely|absolutely|literally|probably|do|guess i|think i|suppose i))*\s*(?:'ve|'ll|'d|'m|'re| have| shall| will| am| are)?(?: (?:also|really|still|just|only|definitely|probably))*\s+)?(?:(?:need|needed|have|has|got|ought|want|wanna|would like|like|love|wish|plan|planning|supposed|meant|going|intend|meaning|due|expected|hoping|trying|promised(?: \w+)?) to|need(?= (?:to )?\w+ing)|need(?= (?:buy|call|pay|get|send|book|make|go|do|finish|clean|fix|write|pick|bring|order|take)\b)|gotta|must(?: also)?(?: to)?|should(?: (?:really|probably|also|like to))?|shall(?: (?:need|have) to)?|had better|better|'d better|(?:have got|'ve got|have|got) (?:an?|some)(?= \w+)|(?:have|'ve got|got)(?= (?!to |been |just |already |not |no |done |finished |never |had |got |\p{L}+ed |the |my |it |that |them |taken |paid |sent |bought |made |put |told |given |gone |seen |written )\p{L}+(?: \p{L}+){0,4} (?:due|on|by|at|for|tomorrow|tonight)\b))(?: (?:also|really|just|remember to|not forget to|make sure (?:to|i)|be sure to|get (?:around )?to(?= \w+ing)))*${END}(?=\S)`,
  'iu',
);
const IMPERSONAL =
  /^(?:it(?:'s| is) (?:necessary|important|time|urgent)(?: (?:to|that (?:i|we)))?|there(?:'s| is| are)(?: (?:also|still))?(?: an?| the| some)?|(?:he|she|they|my \w+|mum|mom|dad|the \w+) (?:wants?|needs?|asked|told|expects?) (?:me|us) to|must (?:i|we))\s+(?=\S)/i;

/** Takes away, again and again, what comes before the thing itself: greetings, courtesy, "add", "I need to", "remind me to". */
export function peel(text: string): Peeled {
  let core = text.trim();
  let asking: Asking = 'none';
  for (;;) {
    const before = core;
    core = core.replace(OPENER, '').replace(POLITE, '');
    const afterAdd = core.replace(ADD, '').replace(REMIND, '');
    if (afterAdd !== core) asking = 'add';
    const afterNeed = afterAdd.replace(NEED, '').replace(IMPERSONAL, '');
    if (afterNeed !== afterAdd && asking === 'none') asking = 'need';
    core =
      asking === 'none'
        ? afterNeed.replace(/^to\s+(?=\p{L})/iu, '')
        : afterNeed.replace(/^(?:to|that)\s+(?=\p{L})/iu, '');
    if (core === before) return { core, asking };
  }
}

/** Removes only what opens a sentence, not what orders something. */
export function dropOpeners(text: string): string {
  let core = text.trim();
  for (;;) {
    const next = core.replace(OPENER, '').replace(POLITE, '');
    if (next === core) return core;
    core = next;
  }
}

/** Words behind a title that are no part of it. */
const TRAILER =
  /[\s,]*\b(?:please|pls|plz|thanks|thank you|thx|ta|cheers|too|as well|also|for me|if possible|if you (?:can|would|could|please)|asap|urgently|(?:there(?:'s| is) )?no (?:particular |great |real )?(?:rush|hurry)(?: (?:at all|on that|on it|with that|though))*|sometime|some time|at some point|one day|whenever|eventually|first thing|ok|okay|lol|haha|xx?|tho|though|then|after all|(?:on|to) (?:my|the|our) list|and that's (?:it|all)|that's (?:it|all)|both|i (?:think|guess|suppose|reckon|mean)|before i forget|(?:or else|or|otherwise) \S+(?: \S+)? (?:will|would|won't|gets?|kills?)\b.*|(?:or|but|because|cos|cause|bc|since|otherwise|so that|in case|as|while|when|if|before|until)(?= (?:i|i'm|i'll|we|we're|he|she|they|it|it's|there|the(?! (?:end|start|beginning|weekend|\d))|my|everyone|nobody)\b)(?: \S+){2,})[\s.!?,]*$/i;

export function trimTrailers(text: string): string {
  let current = text.trim();
  for (;;) {
    const next = current.replace(TRAILER, '').trim();
    if (next === current || next === '') return current;
    current = next;
  }
}
