/** Loaded before a program: writes the address of each file that it loads to the file in LOADED_FILE. */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const file = process.env.LOADED_FILE;
registerHooks({
  load(url, context, next) {
    if (file) appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
