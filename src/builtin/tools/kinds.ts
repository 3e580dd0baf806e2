/** Kinds of things with their examples; the first word of a line is the kind. */
const KINDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  `cuisine italian chinese mexican indian thai japanese greek french spanish turkish korean vietnamese lebanese american german sushi vegetarian vegan
sport football soccer tennis basketball hockey golf swimming running cycling yoga volleyball rugby cricket badminton
subject maths math mathematics physics chemistry biology history geography english french german spanish latin art music
genre jazz rock pop classical metal techno folk blues reggae comedy drama thriller horror romance crime fantasy
instrument piano guitar violin drums flute cello trumpet saxophone
material wood steel plastic leather cotton wool glass metal paper linen silk
breed labrador poodle beagle dachshund terrier bulldog collie
colour red blue green yellow black white orange purple pink brown grey silver gold beige navy
color red blue green yellow black white orange purple pink brown gray silver gold beige navy`
    .split('\n')
    .map((line) => line.split(' '))
    .map(([kind = '', ...examples]) => [kind, new Set(examples)] as const),
);

/** True if a word is an example of a kind: "thai" of `cuisine`. */
export function hasKind(kind: string, word: string): boolean {
  return KINDS.get(kind)?.has(word) ?? false;
}
