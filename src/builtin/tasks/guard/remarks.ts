/** Words that may turn an order round, make it a thought, or put it into somebody else's mouth. */
const TURNING = new RegExp(
  [
    String.raw`\b(?:not|never|no|none|nobody|nothing|neither|nor|without|hardly|barely|cannot|dont|didnt|isnt|wasnt)\b|n't\b`,
    String.raw`\b(?:almost|nearly|half|halfway|partly|partially|mostly|sort of|kind of|kinda|close to|as good as|rest of)\b|%`,
    String.raw`\b(?:if|unless|until|till|when|whenever|once|as soon as|or|but|though|although|however|except|apart|only)\b`,
    String.raw`\b(?:should|would|could|might|may|must|shall|will|gonna|going to|about to|have to|has to|had to|needs?|to be|later|yet|still)\b|'ll\b`,
    String.raw`\b(?:tr(?:y|ies|ied|ying)|want|wants|wanted|plan|plans|planned|hope[sd]?|wish(?:es|ed)?|guess(?:ed)?|think|thinks|thought|suppose[ds]?|supposedly|allegedly|apparently|doubt(?:ed|s)?|bets?|assumed?|heard|believed?|reckon(?:ed)?|maybe|perhaps|probably|pretend(?:ed)?|imagined?|dream(?:ed|s)?|wonder(?:ed|s)?)\b`,
    String.raw`\b(?:says?|said|tells?|told|asks?|asked|claim(?:s|ed)?|lie[sd]?|lying|quote[sd]?|jok(?:e|es|ed|ing)|insist(?:s|ed)?|refuse[sd]?|shout(?:s|ed)?|yell(?:s|ed)?|promise[sd]?|agree[sd]?|whisper(?:ed)?|beg(?:ged|s)?|demand(?:s|ed)?|suggest(?:s|ed)?|order(?:s|ed)? me|swore|swears?|mention(?:s|ed)?|repl(?:y|ies|ied)|answer(?:s|ed)?|explain(?:s|ed)?|admit(?:s|ted)?|den(?:y|ies|ied)|example|e\.g|i\.e|song|book|film|movie|story)\b`,
    String.raw`\b(?:kidding|jk|lol|lmao|sarcasm|sike|psych|ha)\b`,
    String.raw`\b(?:wrong|mistake|other|another|different|instead|actually|rather|keep|keeps|leave|wait)\b`,
    String.raw`\b(?:am|is|are|was|were|do|does|did|have|has|had|can|should|would|could|shall|will|may|must) (?:i|you|he|she|it|we|they)$`,
    String.raw`\?|["“”]`,
  ].join('|'),
  'i',
);

/** Words of joy and relief, what it took, and the order to tick it off once more. */
const HARMLESS = new RegExp(
  `^(?:${[
    String.raw`thank (?:god|goodness|heavens?|the lord)|finally|at last|y+a+y+|y+e+s+|woo+(?:hoo)?|w?hew|phew|easy|ez|omg|ngl|fr|free+|boom|sweet|lovely|brilliant|awesome`,
    String.raw`all (?:good|fine|done|sorted|set|settled|well)|done and dusted|job done|good riddance|silly me|sorry|bless (?:him|her|them)|hooray|nice|great|cool`,
    String.raw`one (?:less|fewer)(?: thing)?(?: to worry about| for (?:this|next) (?:year|week))?|just in time|i deserve (?:an? )?\p{L}+|what an? (?:\p{L}+ )?(?:relief|day|job|mess|puddle|pain|nightmare|queue|morning|night|week|chore|faff|joy|weight off my mind)`,
    String.raw`(?:it|that|which) (?:was|is) (?:(?:so|very|really|pretty|quite|surprisingly|actually) )?(?:easy|quick|hard|tough|fun|cheap|expensive|great|lovely|painless|simple|fine|boring|long|horrible|delicious|nice|a nightmare|a pain|a relief)`,
    String.raw`(?:it )?(?:only )?took (?:me |us )?(?:only |just |about |over )?(?:ages|forever|a while|long enough|all (?:day|morning|afternoon|night)|(?:an?|\d+|one|two|three|four|five|ten|twenty) (?:minutes?|mins?|hours?|days?|weeks?))`,
    String.raw`(?:it |that )?(?:only )?cost (?:me |us )?(?:only |about |over )?(?:an arm and a leg|a fortune|[£$€]?\d+(?:[.,]\d+)?(?: ?(?:bucks|quid|euros?|pounds|dollars|rupees))?)|[£$€]?\d+(?:[.,]\d+)? (?:bucks|quid|euros?|pounds|dollars)`,
    String.raw`i did it (?:online|just now|yesterday|today|myself|this (?:morning|afternoon)|last night|on (?:the|my) phone|earlier)`,
    String.raw`(?:i'm|i am|we're|we are) (?:so |very |really )?(?:happy|delighted|proud|relieved|pleased|glad|knackered|exhausted|tired|chuffed)(?: to say)?|(?:so|very) (?:happy|proud|relieved|pleased)`,
    String.raw`(?:it's |it is )?working fine(?: now)?|(?:it )?works now|(?:you (?:can|may) )?(?:mark|tick|cross|check|strike)(?: (?:it|that|them|that one))?(?: (?:off|out|done|as done))?|close (?:it|that)(?: off)?|that(?:'s| is) (?:done|sorted)|that one(?:'s| is) (?:done|sorted)`,
  ].join('|')})$`,
  'iu',
);
/** True for a remark beside an order that can change nothing about it. */
export function isHarmless(remark: string): boolean {
  return HARMLESS.test(remark);
}

/** True if words beside an order or a yes may change its meaning. */
export function turnsRound(remark: string): boolean {
  return TURNING.test(remark);
}
