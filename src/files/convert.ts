import type { MimeType } from '../schema/file.ts';
import type { Conversion, ConversionContext, Convert } from './conversion.ts';
import { checkType } from './detect.ts';

/** Every type and what reads it; loaded when such a file comes. */
const CONVERTERS: Record<MimeType, () => Promise<Convert>> = {
  'image/png': async () => (await import('./convert-image.ts')).convertImage,
  'image/jpeg': async () => (await import('./convert-image.ts')).convertImage,
  'image/gif': async () => (await import('./convert-image.ts')).convertImage,
  'image/webp': async () => (await import('./convert-image.ts')).convertImage,
  'application/pdf': async () => (await import('./convert-pdf.ts')).convertPdf,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('./convert-docx.ts')).convertDocx,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': async () =>
    (await import('./convert-xlsx.ts')).convertXlsx,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': async () =>
    (await import('./convert-pptx.ts')).convertPptx,
  'text/plain': async () => (await import('./convert-text.ts')).convertText,
  'text/csv': async () => (await import('./convert-csv.ts')).convertCsv,
  'text/markdown': async () => (await import('./convert-text.ts')).convertText,
};

/** Reads a file of a declared type, after its content has shown that it is of that type. */
export async function convert(bytes: Buffer, declared: MimeType, context: ConversionContext): Promise<Conversion> {
  await checkType(bytes, declared);
  const converter = await CONVERTERS[declared]();
  return converter(bytes, context);
}
