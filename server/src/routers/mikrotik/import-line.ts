import { quoted } from './quoted.ts';

/** One line for a router's terminal that fetches a script and runs it; the script names secrets, so the file goes afterwards. */
export const importLine = (url: string): string =>
  `/tool fetch url=${quoted(url)} dst-path="portico.rsc"; :delay 1s; /import file-name="portico.rsc"; /file remove [find where name="portico.rsc"]`;
