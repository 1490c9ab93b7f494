import type { Credentials } from '@portico/contract/visitors.ts';
import { csvText } from '#lib/csv-file.ts';

/** The accounts as CSV. */
export const credentialsCsv = (titles: readonly string[], people: readonly Credentials[]): string =>
  csvText([titles, ...people.map(it => [it.name, it.username, it.password, it.sign_in_url])]);
