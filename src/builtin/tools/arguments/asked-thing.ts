/** "what does a lamp cost", "how much is the lamp": the subject is before the verb or after "is". */
const ASKED =
  /^(?:what (?:does|do|did) (.+?) (?:cost|mean|weigh|contain|measure)|where(?:abouts)?(?:'s| is| are) (?:the |my |an? )?(.+?)|how much (?:(?:is|are|was|were) (?:the |an? )?|(?:does|do) )(.+?)(?: cost)?|how many (.+?) (?:(?:have|do|are) (?:we|you|i|they|there)\b.*|(?:are )?(?:left|in stock).*))\s*[?.!]*$/i;
/** "I had porridge for breakfast", "I need a dermatologist". */
const TOLD =
  /^(?:(?:i|we)(?:'d| would| have| just| am|'m)*\s+)?(?:just\s+)?(?:had|ate|drank|bought|took|played|watched|did|need|want|like|looking for)\s+(?:an?\s+|the\s+|some\s+)?(?!to\b|you\b)(.+?)(?=\s+(?:for|at|from|in|on|with|to)\b|[,.;!?]|$)/i;
/** "we are nearly out of sodium chloride". */
const LACKING =
  /\b(?:are|is|am|'re|ran|run|running|nearly|almost)\s+(?:(?:nearly|almost|getting|running)\s+)?(?:out of|low on|short of)\s+(?:the\s+)?([^,.;!?]+)/i;
/** "we're down to the last toner", "my ramipril runs out on Friday". */
const ENDING =
  /\bdown to (?:the|my|our) last (?:few |bits? of |\w+ of )?([^,.;!?]+)|^(?:the |my |our )?(.+?) (?:runs?|is running|are running|ran|will run) (?:out|low)\b/i;
/** "how fattening is halloumi", "how many calories does an avocado have", "what did mailer print in the last hour". */
const MEASURED =
  /^how [a-z]+ (?:is|are|was|were) (?:the |my |an? )?([^,.;?!]+?)(?=\s+(?:in|on|at|from|for|to|today|tomorrow|now)\b|[,.;?!]|$)|^how (?:many|much) [a-z]+ (?:does|do|did|has|have|is in|are in|are there in|in) (?:the |my |an? )?(.+?)(?:\s+(?:have|contain|has|get|need|take|use|cost))?\s*[?.!]*$|^what (?:did|does|has|have) (?:the |my )?(?!i\b|we\b|you\b|it\b|they\b)([\w.-]+) [a-z]+/i;
/** "the podiatrist must be moved". */
const PASSIVE =
  /^(?:the |my |our )?(.+?)\s+(?:must|should|needs? to|has to|have to|is to)\s+(?:be|go|move|shift|come|happen)\b/i;
/** "got a pile of leeks, what can I cook": a stock with a question after it. */
const HAVING = /^(?:i|we)?(?:'ve| have)?\s*got (?:an? |some |the )?([^,.;!?]+)(?=[,.;!?]\s+(?:what|which|any|how))/i;
/** The measure before a thing: "got a pile of leeks". */
const HEAP =
  /^(?:an? )?(?:pile|bunch|load|loads|lot|lots|bag|box|heap|tin|can|jar|piece|slice|bit|couple|pair|few) of\s+/i;

/** The thing that a command, a question or a complaint is about, where its form shows it. */
export function askedThing(command: string): string | undefined {
  for (const pattern of [LACKING, ENDING, HAVING, ASKED, MEASURED, PASSIVE, TOLD]) {
    const thing = pattern
      .exec(command)
      ?.slice(1)
      .find((part) => part !== undefined);
    if (thing !== undefined) return thing.replace(HEAP, '');
  }
  return undefined;
}
