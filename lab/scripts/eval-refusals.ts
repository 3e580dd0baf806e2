/**
 * Prints the share of questions about `agents/handbook` that are refused, of those that the built-in model answers with
 * "I am not sure", and of those that it answers with high confidence: answerable ones, ones far from the documents, and
 * ones near to them. Each file of questions is a set of its own; the first two were read to choose the floor.
 */
import { type HandbookAnswer, type HandbookQuestion, openHandbook, readHandbookQuestions } from './ask-handbook.ts';

const GOALS: Readonly<Record<string, string>> = { answerable: '≤ 5 %', far: '≥ 95 %', near: '≥ 60 %' };
const desk = await openHandbook();
try {
  for (const [file, rows] of readHandbookQuestions()) await printSet(file, rows);
} finally {
  await desk.close();
}

async function printSet(file: string, rows: readonly HandbookQuestion[]): Promise<void> {
  let [given, closed, wrongHigh, unanswerable] = [0, 0, 0, 0];
  for (const [kind, own] of Map.groupBy(rows, (row) => row.kind)) {
    const answers: HandbookAnswer[] = [];
    for (const { question } of own) answers.push(await desk.ask(question));
    const count = (test: (answer: HandbookAnswer) => boolean) => answers.filter(test).length;
    const share = (part: number) => `${part} of ${own.length}, ${((100 * part) / own.length).toFixed(1)} %,`;
    const refused = count(({ isRefused }) => isRefused);
    const high = count(({ isHigh }) => isHigh);
    given += own.length - refused;
    closed += count(({ isRefused, opens }) => !isRefused && !opens);
    if (kind !== 'answerable') [wrongHigh, unanswerable] = [wrongHigh + high, unanswerable + own.length];
    const goal = Object.hasOwn(GOALS, kind) ? ` (goal ${GOALS[kind]})` : '';
    const unsure = share(count(({ isUnsure }) => isUnsure));
    console.log(`${file} ${kind}: ${share(refused)} refused${goal}, ${unsure} answered as unsure, ${high} with high`);
  }
  console.log(`${file}: ${closed} of ${given} answers (goal 0) without a passage that opens`);
  console.log(`${file}: ${wrongHigh} of ${unanswerable} far and near questions (goal 0) answered with high confidence`);
  if (closed + wrongHigh > 0) process.exitCode = 1;
}
