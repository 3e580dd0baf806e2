/** Trains the proposer of to-do messages from data/builtin and writes the tables that ship: `npm run train:learned`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { intentFeatures } from '../../src/builtin/learned/intent-features.ts';
import { LEARNED_INTENTS, WORD_TAGS, type WordTag } from '../../src/builtin/learned/proposal.ts';
import { splitWords } from '../../src/builtin/learned/split-words.ts';
import { createLexicon, prepareWords } from '../../src/builtin/learned/tag-features.ts';
import { readTitles } from './fillers.ts';
import { generate, type LearnedExample, readPublic, readTemplates } from './make-set.ts';
import { type IntentRow, trainIntents } from './train-intents.ts';
import { tagWith, trainTagger } from './train-tagger.ts';

const OUT = new URL('../../src/builtin/learned/data/', import.meta.url);
const SEED = 42;
const FILLS = 6;
/** Public rows about tasks are few beside the off-topic ones. */
const PUBLIC_TASK_WEIGHT = 4;
/** Least number of templates that a frame word appears in. */
const LEAST_TEMPLATES = 5;

const frameWords = findFrameWords();
const knownWords = findKnownWords();
const lexicon = createLexicon(frameWords, knownWords);
const generated = generate(SEED, FILLS);
const collected = readPublic('train');
// Tags of the training set come from a tagger that has not seen the template, as they will for new sentences.
const halves = [0, 1].map((half) =>
  trainTagger(
    generated.filter(({ template = 0 }) => template % 2 !== half),
    lexicon,
    4,
  ),
);
const guessTags = (text: string, half: number): WordTag[] => {
  const tagger = halves[half];
  return tagger ? tagWith(tagger, text, lexicon) : [];
};
const rows = [
  ...generated.map((example) => toRow(example, guessTags(example.text, (example.template ?? 0) % 2), example.weight)),
  ...collected.map((example, at) =>
    toRow(example, guessTags(example.text, at % 2), example.intent === 'unknown' ? example.weight : PUBLIC_TASK_WEIGHT),
  ),
];
const intents = trainIntents(rows, { epochs: 4, rate: 0.06, decay: 2e-5, smoothing: 0.02 });
const tagger = trainTagger(generated, lexicon, 5);
mkdirSync(OUT, { recursive: true });
const tables = {
  'learned-intents.bin': pack(intents, LEARNED_INTENTS.length),
  'learned-tags.bin': pack(tagger.weights, WORD_TAGS.length),
};
for (const [name, table] of Object.entries(tables)) writeFileSync(new URL(name, OUT), table);
const transitions = Array.from(tagger.transitions, (weight) => Math.round(weight * 1000) / 1000);
writeFileSync(
  new URL('learned-frames.json', OUT),
  `${JSON.stringify({ frame_words: [...frameWords], known_words: knownWords, transitions })}\n`,
);
console.log(`${generated.length} generated and ${collected.length} public sentences, ${frameWords.size} frame words`);

function toRow({ text, intent }: LearnedExample, tags: readonly WordTag[], weight: number): IntentRow {
  const columns = Int32Array.from(intentFeatures(prepareWords(splitWords(text), lexicon), tags));
  return { columns, label: LEARNED_INTENTS.indexOf(intent), weight };
}

/** Words outside the placeholders that several templates of commands share. */
function findFrameWords(): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { intent, text } of readTemplates()) {
    if (intent === 'unknown') continue;
    const bare = text.replace(/\{\w+\}|<\w+:([^>]+)>/g, ' $1 ').replace(/[[\]|]/g, ' ');
    for (const word of new Set(splitWords(bare.toLowerCase()).map((part) => part.text)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const frequent = [...counts].filter(([word, count]) => count >= LEAST_TEMPLATES && /\p{L}/u.test(word));
  return new Set(frequent.map(([word]) => word).sort());
}

/** Words that public messages, templates or titles hold in their right spelling. */
function findKnownWords(): string[] {
  const counts = new Map<string, number>();
  const texts = [...readPublic('train').map(({ text }) => text), ...readTitles(), ...readTitles()];
  for (const { text } of texts.flatMap((line) => splitWords(line.toLowerCase())))
    counts.set(text, (counts.get(text) ?? 0) + 1);
  const frequent = [...counts].filter(
    ([word, count]) => count >= 2 && /^[a-z']{3,}$/.test(word) && !frameWords.has(word),
  );
  return frequent.map(([word]) => word).sort();
}

/** Packs the scales as float32, then the weights as int8. */
function pack(weights: Float32Array, classes: number): Uint8Array {
  const scales = new Float32Array(classes);
  weights.forEach((weight, at) => {
    scales[at % classes] = Math.max(scales[at % classes] ?? 0, Math.abs(weight) / 127);
  });
  const packed = Int8Array.from(weights, (weight, at) => Math.round(weight / (scales[at % classes] || 1)));
  return Buffer.concat([Buffer.from(scales.buffer), Buffer.from(packed.buffer)]);
}
