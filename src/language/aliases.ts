/** Names for the same value, by which people mean an option that is written in another way. */
const GROUPS = `
en english|es spanish espanol|fr french|de german|it italian|pt portuguese|zh chinese mandarin|ja jp japanese|ko korean|da danish
nl dutch|sv swedish|no norwegian|fi finnish|ru russian|ar arabic|hi hindi|tr turkish|pl polish|cs czech|el greek|he hebrew|vi vietnamese
metric celsius centigrade c|imperial fahrenheit f|standard kelvin k
usd dollar dollars|eur euro euros|gbp pound pounds sterling|jpy yen|cny yuan rmb renminbi|inr rupee rupees|chf francs|krw won|mxn pesos
asc ascending|desc descending|km kilometer kilometers kilometre kilometres|mi mile miles|m meter meters metre metres|cm centimeters|ft feet foot|in inch inches
kg kilogram kilograms kilo kilos|lb lbs pound pounds|g gram grams|oz ounce ounces|l liter liters litre litres|gal gallon gallons
mg milligram milligrams|ml milliliter milliliters millilitre millilitres|mm millimeters millimetres|px pixel pixels|tbsp tablespoon tablespoons|tsp teaspoon teaspoons|min mins minute minutes|pcs piece pieces
sci-fi scifi science-fiction scientific-fiction|animation cartoon cartoons animated|comedy funny humorous|horror scary spooky frightening|thriller suspense suspenseful thrilling
drama dramatic|romance romantic|documentary documentaries|country hillbilly|pop popular|electronica electronic|offbeat quirky unconventional|supernatural ghost ghosts
cheap inexpensive affordable budget low-cost|moderate intermediate mid-range reasonable medium-priced|pricey expensive|luxury luxurious luxary fancy upscale
pool shared carpool share|regular normal standard|hatchback compact|theater theatre play plays drama musical|music concert concerts|take-out takeout takeaway
family-counselor family-therapist family-counseling family-counsellor|psychologist psychology|psychiatrist psychiatry
high urgent critical important top|low minor trivial cheap inexpensive affordable budget|medium normal|true yes|false no|male man men|female woman women
increase raise up louder higher|decrease lower reduce down quieter|on enable activate start|off disable deactivate stop
small s|medium m|large l|extra-large xl|daily day every-day each-day once-a-day|weekly week every-week each-week once-a-week|monthly month every-month once-a-month|yearly annual annually year|one-way oneway single|round-trip roundtrip return
rating best-rated best-reviewed top-rated highest-rated best-reviews|price cheapest cheapest-first lowest-price|newest latest most-recent new-arrivals|popularity most-popular best-selling bestsellers
prod production live|dev development|staging stage|stolen stole steal nicked robbed pinched|damaged broken cracked torn faulty defective smashed|lost mislaid misplaced missing
illness ill sick unwell flu fever poorly|holiday vacation annual-leave|mon monday mondays|tue tues tuesday tuesdays|wed weds wednesday wednesdays|thu thur thurs thursday thursdays|fri friday fridays|sat saturday saturdays|sun sunday sundays
view see look read-only|edit change modify|quick fast short express speedy rapid|eco economical energy-saving|intensive thorough heavy-duty|json|xml|csv|pdf|vegetarian veggie meatless|vegan plant-based|barbecue bbq grill|coffeehouse cafe coffee-shop|economy coach|business|first-class first
`;

const GROUP_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  GROUPS.trim()
    .split(/[|\n]/)
    .map((line) => new Set(line.trim().split(' ')))
    .flatMap((group) => [...group].map((word) => [word, group] as const))
    // A word of several groups keeps the first.
    .reverse(),
);

/** Other names of a value, in lower case and with hyphens; empty if none is known. */
export function aliasesOf(value: string): ReadonlySet<string> {
  return GROUP_OF.get(value.toLowerCase().replace(/[ _]/g, '-')) ?? new Set();
}

const OPPOSITES = `lock unlock|on off|enable disable|activate deactivate|start stop|open close|mute unmute|show hide|arm disarm|turn-on turn-off|
pause resume|subscribe unsubscribe|follow unfollow|archive unarchive|pin unpin|allow forbid|allow block|connect disconnect|check uncheck|
mark unmark|publish unpublish|like unlike|install uninstall|mount unmount|plug unplug|dim brighten`;
const POLES: ReadonlyMap<string, boolean> = new Map(
  OPPOSITES.replace(/\n/g, '')
    .split('|')
    .flatMap((pair) => {
      const [yes = '', no = ''] = pair.split(' ');
      return [[yes, true] as const, [no, false] as const];
    }),
);
const PARTNERS: ReadonlyMap<string, string> = new Map(
  OPPOSITES.replace(/\n/g, '')
    .split('|')
    .flatMap((pair) => {
      const [yes = '', no = ''] = pair.split(' ');
      return [[yes, no] as const, [no, yes] as const];
    }),
);

/** True for "lock" and "on", false for "unlock" and "off", undefined for words without an opposite. */
export function poleOf(word: string): boolean | undefined {
  return POLES.get(word);
}

export function oppositeOf(word: string): string | undefined {
  return PARTNERS.get(word);
}
