import { quoted } from './quoted.ts';

/** One line for the router's terminal that fetches and runs a script. The script contains secrets, so its file is removed. */
export const importLine = (url: string): string =>
  `/tool fetch url=${quoted(url)} dst-path="portico.rsc"; :delay 1s; /import file-name="portico.rsc"; /file remove [find where name="portico.rsc"]`;
