import type { MimeType } from '../../schema/file.ts';
import { checkType } from '../detect.ts';
import type { Conversion, ConversionContext, Convert } from './conversion.ts';

/** The converter of each type; loaded with the first such file. */
const CONVERTERS: Record<MimeType, () => Promise<Convert>> = {
  'image/png': async () => (await import('../picture/convert-image.ts')).convertImage,
  'image/jpeg': async () => (await import('../picture/convert-image.ts')).convertImage,
  'image/gif': async () => (await import('../picture/convert-image.ts')).convertImage,
  'image/webp': async () => (await import('../picture/convert-image.ts')).convertImage,
  'application/pdf': async () => (await import('../pdf/convert-pdf.ts')).convertPdf,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('../office/convert-docx.ts')).convertDocx,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': async () =>
    (await import('../office/convert-xlsx.ts')).convertXlsx,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': async () =>
    (await import('../office/convert-pptx.ts')).convertPptx,
  'text/plain': async () => (await import('../convert-text.ts')).convertText,
  'text/csv': async () => (await import('../convert-text.ts')).convertCsv,
  'text/markdown': async () => (await import('../convert-text.ts')).convertText,
};

/** Reads a file of a declared type, after checking its content against that type. */
export async function convert(bytes: Buffer, declared: MimeType, context: ConversionContext): Promise<Conversion> {
  await checkType(bytes, declared);
  const converter = await CONVERTERS[declared]();
  return converter(bytes, context);
}
