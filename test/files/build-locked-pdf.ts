import { createHash } from 'node:crypto';
import { pageObject, toRawStream, writePdf } from './build-pdf.ts';

/** The format's padding for short passwords. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const KEY_BYTES = 5;
const PERMISSIONS = -44;

/** A PDF that anybody may open and only its owner may change: encrypted with an empty password, in the oldest way. */
export function buildOwnerPasswordPdf(text: string): Buffer {
  const id = Buffer.alloc(16, 'i');
  const owner = cipher(md5(Buffer.concat([Buffer.from('owner'), PADDING]).subarray(0, 32)), PADDING);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(Buffer.concat([PADDING, owner, permissions, id]));
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  const encrypt = `/Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(cipher(key, PADDING))} /P ${PERMISSIONS}`;
  const content = Buffer.from(`BT /F1 12 Tf 60 700 Td (${text}) Tj ET`);
  return writePdf(
    {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
      3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      5: pageObject(6),
      6: toRawStream(cipher(objectKey(key, 6), content), ''),
    },
    `/Encrypt << ${encrypt} >> /ID [${hex(id)} ${hex(id)}]`,
  );
}

function md5(bytes: Uint8Array, length = KEY_BYTES): Buffer {
  return createHash('md5').update(bytes).digest().subarray(0, length);
}

function objectKey(key: Buffer, number: number): Buffer {
  return md5(Buffer.concat([key, Buffer.from([number, 0, 0, 0, 0])]), KEY_BYTES + 5);
}

/** RC4, which current libraries no longer offer. */
function cipher(key: Buffer, bytes: Buffer): Buffer {
  const box = Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => box[index & 255] ?? 0;
  const swap = (a: number, b: number) => {
    [box[a], box[b]] = [at(b), at(a)];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255;
      j = (j + at(i)) & 255;
      swap(i, j);
      return byte ^ at(at(i) + at(j));
    }),
  );
}
