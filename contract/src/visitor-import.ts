import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { locationRef } from './fields.ts';
import { importPreviewOf, importProblem } from './import-preview.ts';
import { credentials } from './visitors.ts';

/** The limits of an import. */
export const importLimits = { bytes: 5 * 1024 * 1024, rows: 10_000 } as const;

/** `warnings`: the first 200 lines that would be imported without the days that they name. */
export const importPreview = importPreviewOf(
  z.object({
    line: z.number(),
    name: z.string(),
    provider_type: z.string(),
    provider_id: z.string().nullable(),
    profile: z.string().nullable(),
  }),
).extend({ warnings: z.array(importProblem), warning_count: z.number() });
export type ImportPreview = z.output<typeof importPreview>;

/** `credentials`: the visitors whose password was generated because the file had none. Only this response contains them. */
export const importResult = z.object({ created: z.number(), credentials: z.array(credentials) });
export type ImportResult = z.output<typeof importResult>;

const form = z.object({ location_id: z.preprocess(value => value || undefined, locationRef) });

export const visitorImportApi = {
  template: endpoint({
    method: 'GET',
    path: '/v1/panel/client/import/template',
    access: 'store-clients',
    summary: 'An example file with every column of an import, in the language of the caller',
    reply: 'csv',
  }),
  preview: endpoint({
    method: 'POST',
    path: '/v1/panel/client/import/preview',
    access: 'store-clients',
    summary: 'Preview the import of a CSV file with the problems of each line; changes nothing',
    upload: { maxBytes: importLimits.bytes },
    body: form,
    reply: one(importPreview),
    status: 200,
  }),
  run: endpoint({
    method: 'POST',
    path: '/v1/panel/client/import',
    access: 'store-clients',
    summary:
      'Import the visitors of a CSV file: all of them, or none if a line has a problem; `warnings` names lines whose days were not sold',
    upload: { maxBytes: importLimits.bytes },
    body: form,
    reply: one(importResult).extend({ warnings: z.array(z.string()) }),
    status: 201,
  }),
} as const;
