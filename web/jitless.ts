import { config } from 'zod/v4/core';

// The page's content policy forbids `eval`. Without this, zod probes for it when its first schema is built.
config({ jitless: true });
