import { existsSync } from 'node:fs';

/** A package and an image have a program `portico`; a checkout has npm, and its scripts. */
export const isCheckout = existsSync(new URL('../../../scripts/start.mjs', import.meta.url));

/** How the command line is called here. */
export const commandLine = isCheckout ? 'npm run portico --' : 'portico';
/** The command that lists the settings in this installation. */
export const settingsCommand = isCheckout ? 'npm start -- --help' : 'portico settings';
