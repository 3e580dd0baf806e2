import { mkdirSync, writeFileSync } from 'node:fs';
import { CLASSES } from '../src/builtin/intent-model.ts';
import { packWeights, trainLinear } from './train-linear.ts';
import { readTrainingSet } from './training-set.ts';

/** Trains the intent model from data/builtin and writes the table that ships with the product. */
const OUT = new URL('../src/builtin/data/', import.meta.url);
const examples = readTrainingSet();
const weights = trainLinear(examples, { classes: CLASSES.length, epochs: 5, rate: 0.1, decay: 1e-4 });
mkdirSync(OUT, { recursive: true });
const table = packWeights(weights, CLASSES.length);
writeFileSync(new URL('intent-model.bin', OUT), table);
console.log(`${examples.length} examples, ${CLASSES.length} classes, ${(table.length / 1024).toFixed(0)} kB`);
