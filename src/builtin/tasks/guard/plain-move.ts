/** Verbs that say something else of a thing and a time than that it is due then. */
const REMARK =
  /\b(?:expires?|goes (?:up|down|off|on)|(?:is|are) (?:off|away|closed|open|shut|out)|was|were|ends?|starts?|begins?|opens?|closes?|arrives?|arrived|leaves|left|paid|bought|died|broke|the (?:day|time|week|year) (?:i|we)|sec|secs|second|moment)\b/i;
/** Words that speak of another time for something. */
const MOVING =
  /\b(?:mov(?:e|ed|es|ing)|push(?:ed|ing)?|shift(?:ed|ing)?|put|set|make|chang(?:e|ed|es|ing)|re-?sched\w*|postpon\w*|prepon\w*|bring|brought|delay\w*|due|deadline|instead|not|earlier|later|sooner|now)\b|n't\b/i;

/** False for "milk expires tomorrow": a time that is said of a task need not be its own. */
export function isPlainMove(text: string): boolean {
  return MOVING.test(text) || !REMARK.test(text);
}
