import { attend, gelu, type Norm, normalise, project } from './encoder-steps.ts';
import { createWorkspace, type Matrix, type Workspace } from './workspace.ts';

/** Sizes of MiniLM, and the longest message in pieces; the training program has the same numbers. */
const WIDTH = 384;
const INNER = 1536;
export const MAX_PIECES = 96;

export interface EncoderScores {
  labels: Float32Array;
  /** A row of scores for each piece. */
  roles: Float32Array[];
}

export interface Encoder {
  /** `known`: places of pieces that begin a word of one of the user's tasks. */
  run(ids: readonly number[], known: readonly number[]): EncoderScores;
}

interface Layer {
  query: Matrix;
  key: Matrix;
  value: Matrix;
  mix: Matrix;
  up: Matrix;
  down: Matrix;
  firstNorm: Norm;
  secondNorm: Norm;
}

/** Places of the values between the steps. */
type Places = Record<'x' | 'q' | 'k' | 'v' | 'mixed' | 'extra' | 'inner', number>;

/** Runs the fine-tuned encoder: matrices by a WebAssembly kernel, everything else in plain code. */
export function createEncoder(tables: EncoderTables, kernel: Uint8Array): Encoder {
  const weights = tables.layers * (4 * WIDTH * WIDTH + 2 * WIDTH * INNER + 5 * WIDTH + INNER);
  const work = createWorkspace(kernel, weights + MAX_PIECES * (6 * WIDTH + INNER));
  const layers = Array.from({ length: tables.layers }, (_, number) => placeLayer(tables, work, `layers.${number}`));
  const rows = () => work.reserve(MAX_PIECES * WIDTH);
  const places: Places = {
    x: rows(),
    q: rows(),
    k: rows(),
    v: rows(),
    mixed: rows(),
    extra: rows(),
    inner: work.reserve(MAX_PIECES * INNER),
  };
  const norm = readNorm(tables, 'norm');
  const heads = { labels: readNorm(tables, 'label'), roles: readNorm(tables, 'role') };
  const knownWord = tables.floats('known');
  return {
    run(ids, known) {
      const length = Math.min(ids.length, MAX_PIECES);
      embed(tables, work, places.x, ids.slice(0, length));
      for (const at of known) if (at < length) addVector(work.space, places.x + at * WIDTH, knownWord);
      normalise(work.space, places.x, length, norm);
      for (const layer of layers) runLayer(work, places, layer, length);
      const states = Array.from({ length }, (_, at) =>
        work.space.slice(places.x + at * WIDTH, places.x + (at + 1) * WIDTH),
      );
      const whole = joinFirstAndMean(states);
      return { labels: project(heads.labels, whole), roles: states.map((state) => project(heads.roles, state)) };
    },
  };
}

function placeLayer(tables: EncoderTables, work: Workspace, name: string): Layer {
  const place = (table: string) => work.place(tables.sizeOf(table), (space, at) => tables.write(table, space, at));
  const matrix = (part: string, inputs: number, outputs: number): Matrix => ({
    weight: place(`${name}.${part}.weight`),
    bias: place(`${name}.${part}.bias`),
    inputs,
    outputs,
  });
  return {
    query: matrix('query', WIDTH, WIDTH),
    key: matrix('key', WIDTH, WIDTH),
    value: matrix('value', WIDTH, WIDTH),
    mix: matrix('mix', WIDTH, WIDTH),
    up: matrix('up', WIDTH, INNER),
    down: matrix('down', INNER, WIDTH),
    firstNorm: readNorm(tables, `${name}.first_norm`),
    secondNorm: readNorm(tables, `${name}.second_norm`),
  };
}

function readNorm(tables: EncoderTables, name: string): Norm {
  return { weight: tables.floats(`${name}.weight`), bias: tables.floats(`${name}.bias`) };
}

function embed(tables: EncoderTables, { space }: Workspace, start: number, ids: readonly number[]): void {
  space.fill(0, start, start + Math.ceil(ids.length / 4) * 4 * WIDTH);
  ids.forEach((id, at) => {
    tables.addRow('pieces.weight', id, space, start + at * WIDTH);
    tables.addRow('positions.weight', at, space, start + at * WIDTH);
  });
}

function runLayer(work: Workspace, { x, q, k, v, mixed, extra, inner }: Places, layer: Layer, length: number): void {
  const { space } = work;
  work.multiply(x, layer.query, q, length);
  work.multiply(x, layer.key, k, length);
  work.multiply(x, layer.value, v, length);
  attend(space, { q, k, v, out: mixed }, length);
  work.multiply(mixed, layer.mix, extra, length);
  addInto(space, x, extra, length * WIDTH);
  normalise(space, x, length, layer.firstNorm);
  work.multiply(x, layer.up, inner, length);
  for (let at = inner; at < inner + length * INNER; at++) space[at] = gelu(space[at] ?? 0);
  work.multiply(inner, layer.down, extra, length);
  addInto(space, x, extra, length * WIDTH);
  normalise(space, x, length, layer.secondNorm);
}

function addInto(space: Float32Array, to: number, from: number, size: number): void {
  for (let at = 0; at < size; at++) space[to + at] = (space[to + at] ?? 0) + (space[from + at] ?? 0);
}

function addVector(space: Float32Array, to: number, values: Float32Array): void {
  for (let at = 0; at < values.length; at++) space[to + at] = (space[to + at] ?? 0) + (values[at] ?? 0);
}

/** Input of the label head: the state of the first piece, then the mean of all. */
function joinFirstAndMean(states: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(2 * WIDTH);
  whole.set(states[0] ?? []);
  for (const state of states) {
    for (let at = 0; at < WIDTH; at++) whole[WIDTH + at] = (whole[WIDTH + at] ?? 0) + (state[at] ?? 0) / states.length;
  }
  return whole;
}

/** Where each table stands in the file, as the training program wrote it. */
export interface TableIndex {
  layers: number;
  tables: Readonly<Record<string, { shape: readonly number[]; offset: number }>>;
}

export interface EncoderTables {
  layers: number;
  rowsOf(name: string): number;
  sizeOf(name: string): number;
  /** Writes a matrix or vector as floats; int8 rows are multiplied by their scales. */
  write(name: string, target: Float32Array, at: number): void;
  /** The same as an array of its own. */
  floats(name: string): Float32Array;
  /** Adds a row of a matrix to a target: piece vectors stay int8 in memory. */
  addRow(name: string, row: number, target: Float32Array, at: number): void;
}

export function readTables(bytes: Uint8Array, { layers, tables }: TableIndex): EncoderTables {
  const find = (name: string) => {
    const entry = tables[name];
    if (!entry) throw new Error(`the encoder has no table ${name}`);
    const [rows = 0, width = 0] = entry.shape;
    const start = bytes.byteOffset + entry.offset;
    const scales = new Float32Array(bytes.buffer, start, rows);
    return { rows, width, scales, values: new Int8Array(bytes.buffer, start + rows * 4, rows * width) };
  };
  return {
    layers,
    rowsOf: (name) => find(name).rows,
    sizeOf(name) {
      const { rows, width } = find(name);
      return rows * Math.max(1, width);
    },
    write(name, target, at) {
      const { rows, width, scales, values } = find(name);
      if (width === 0) target.set(scales.subarray(0, rows), at);
      // A plain loop: nine million values through a callback took more than a second.
      for (let row = 0; row < rows; row++) {
        const scale = scales[row] ?? 0;
        for (let k = row * width; k < (row + 1) * width; k++) target[at + k] = (values[k] ?? 0) * scale;
      }
    },
    floats(name) {
      const floats = new Float32Array(this.sizeOf(name));
      this.write(name, floats, 0);
      return floats;
    },
    addRow(name, row, target, at) {
      const { width, scales, values } = find(name);
      const scale = scales[row] ?? 0;
      for (let k = 0; k < width; k++) target[at + k] = (target[at + k] ?? 0) + (values[row * width + k] ?? 0) * scale;
    },
  };
}
