import { describe, expect, it } from 'vitest';
import { fixture } from '../../test/files/read-fixture.ts';
import { createRecognizer } from './ocr.ts';

describe('createRecognizer', () => {
  it('reads the same whether a page is read whole or in parts at once', { timeout: 60_000 }, async () => {
    const page = fixture('letter-300dpi.png');
    const read = (pixels: number) => createRecognizer({ languages: ['eng'], pixels }).readFile(page, 1);
    const [whole, parts] = [await read(1), await read(9_000_000)];
    expect(parts).toBe(whole);
  });

  it('turns a picture upright as its camera says', { timeout: 60_000 }, async () => {
    const { readFile } = createRecognizer({ languages: ['eng'], pixels: 1 });
    expect(await readFile(fixture('note.jpg'), 1)).toMatch(/^Delivery note 4711/);
    expect(await readFile(fixture('note.jpg'), 3)).not.toMatch(/Delivery/);
  });
});
