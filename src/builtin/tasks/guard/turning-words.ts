/** Words that may turn an order or a report round, make it a thought, or put it into somebody else's mouth. */
const TURNING = new RegExp(
  [
    String.raw`\b(?:not|never|no|none|nobody|nothing|neither|nor|without|hardly|barely|cannot|dont|didnt|isnt|wasnt)\b|n't\b`,
    String.raw`\b(?:almost|nearly|half|halfway|partly|partially|mostly|sort of|kind of|kinda|close to|as good as|rest of)\b|%`,
    String.raw`\b(?:if|unless|until|till|when|whenever|once|as soon as|or|but|though|although|however|except|apart|only)\b`,
    String.raw`\b(?:should|would|could|might|may|must|shall|will|gonna|going to|about to|have to|has to|had to|needs?|to be|later|yet|still)\b|'ll\b`,
    String.raw`\b(?:try|tries|tried|trying|want|wants|wanted|plan|plans|planned|hope|hopes|hoped|wish|wishes|guess|think|thought|suppose|supposed|supposedly|allegedly|apparently|doubt|bet|assume|heard|believe|reckon|maybe|perhaps|probably|pretend|imagine|dream)\b`,
    String.raw`\b(?:say|says|said|tell|tells|told|ask|asks|asked|claims?|claimed|lie|lies|lied|quote|example|e\.g|i\.e|song|book|film|movie|story)\b`,
    String.raw`\b(?:kidding|joking|joke|jk|lol|lmao|sarcasm|sike|psych|ha)\b`,
    String.raw`\b(?:wrong|mistake|other|another|different|instead|actually|rather|keep|leave)\b`,
    String.raw`\?|["“”]`,
  ].join('|'),
  'i',
);

/** True if a remark beside an order may change its meaning. */
export function turnsRound(remark: string): boolean {
  return TURNING.test(remark);
}

/** Words behind an order that stop it. A reason does not: "scrap the DJ, we'll have a band". */
const STOPPING =
  /^(?:no|nope|nah|wait|not|never|actually|jk|just|but|or|if|unless|until|when|once|later|maybe|perhaps|i (?:think|guess|mean|wish)|don'?t|that'?s what)\b|\b(?:kidding|joking|joke|jk|lol|wait|keep it|leave it)\b|\b(?:said|says|told (?:me|us|him|her|them)|wants?|thinks?)$|\?|["“”]/i;

/** True if words behind an order stop it or give it to somebody else. */
export function stopsOrder(remark: string): boolean {
  return STOPPING.test(remark);
}
