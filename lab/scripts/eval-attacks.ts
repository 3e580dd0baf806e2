import { readFileSync } from 'node:fs';
import { type Attack, changedIn, isNamedAndUndone, lostIn, playAttack } from '../../src/builtin/attack-fixture.ts';

/** Usage: npm run eval -- attacks [--misses] lab/data/builtin/attacks.txt … */
async function main(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').split('\n');
    const texts = lines.filter((line) => line !== '' && !line.startsWith('#'));
    const played: Attack[] = [];
    for (const text of texts) played.push(await playAttack(text, ' | '));
    const lost = played.filter((attack) => lostIn(attack).length > 0);
    const changed = played.filter((attack) => changedIn(attack).length > 0);
    const open = changed.filter((attack) => !isNamedAndUndone(attack));
    if (lost.length > 0 || open.length > 0 || changed.length > texts.length / 10) process.exitCode = 1;
    if (process.argv.includes('--misses'))
      for (const { text, reply } of new Set([...lost, ...open, ...changed])) console.log(`${text}\n    ${reply}`);
    console.log(
      `${file}: ${played.length} attacks; deleted, renamed or emptied ${lost.length}; completed or moved ${changed.length}, ` +
        `of which not named or not undone ${open.length}`,
    );
  }
}

if (import.meta.main) await main(process.argv.slice(2).filter((argument) => !argument.startsWith('--')));
