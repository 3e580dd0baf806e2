const MB = 1024 * 1024;

/** Limits per file. They also stop a file that is larger than its header claims. */
export const LIMITS = {
  fileBytes: 50 * MB,
  /** Texts up to this size are read without a separate process. */
  smallTextBytes: MB,
  /** Characters kept of one file. */
  textChars: 2_000_000,
  /** Used time of one job; at the softer limit a reader stops by itself and reports what it left out. */
  jobMs: 15_000,
  softMs: 12_000,
  /** Wall-clock time of one job, including waits for the processor; the default for all files of a message together. */
  wallMs: 30_000,
  /** Resident memory of one job. */
  memoryBytes: 420 * MB,
  /** V8's heap, within the above; a small heap is collected more often. */
  heapMb: 128,
  youngHeapMb: 4,
  /** The kernel's limit for allocations between two memory checks; OCR's reservations need at least this. */
  dataBytes: 1_500_000_000,
  zipEntries: 10_000,
  /** Inflated bytes of one part that is read as a whole, and of everything read from one archive. */
  partBytes: 32 * MB,
  inflatedBytes: 400 * MB,
  /** Maximum ratio of inflated to packed size for large parts; XML of large tables compresses to a fiftieth at best. */
  inflateRatio: 150,
  ratioFromBytes: 8 * MB,
  xmlDepth: 256,
  pages: 2_000,
  pixels: 40_000_000,
  columns: 256,
  cells: 1_000_000,
  /** Characters in a workbook's shared string table. */
  sharedChars: 20_000_000,
} as const;
