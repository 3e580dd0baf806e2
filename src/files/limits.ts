const MB = 1024 * 1024;

/** What one file may cost. A file that is larger than it looks is stopped by these, whatever its header says. */
export const LIMITS = {
  fileBytes: 50 * MB,
  /** Texts up to this size need no process of their own. */
  smallTextBytes: MB,
  /** Characters of text that are kept of one file. */
  textChars: 2_000_000,
  /** Time that one job could use; at the softer limit a reader stops by itself and says what it left out. */
  jobMs: 15_000,
  softMs: 12_000,
  /** Wall-clock time of one job, waiting for the processor included: what a message's files have together by default. */
  wallMs: 30_000,
  /** Resident memory of one job. */
  memoryBytes: 420 * MB,
  /** V8's own heap, within the above; a small one is kept tidy more often. */
  heapMb: 128,
  youngHeapMb: 4,
  /** What the kernel lets a job allocate between two looks at its memory; less is too little for OCR's reservations. */
  dataBytes: 1_500_000_000,
  zipEntries: 10_000,
  /** Inflated bytes of one part that is read as a whole, and of everything that is read of one archive. */
  partBytes: 32 * MB,
  inflatedBytes: 400 * MB,
  /** Inflated to packed, once a part is large enough to hurt; XML of large tables packs to a fiftieth at best. */
  inflateRatio: 150,
  ratioFromBytes: 8 * MB,
  xmlDepth: 256,
  pages: 2_000,
  pixels: 40_000_000,
  columns: 256,
  cells: 1_000_000,
  /** Characters of a workbook's table of texts. */
  sharedChars: 20_000_000,
} as const;
