import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one } from './endpoint.ts';
import { id, idParams, name, time, whole } from './fields.ts';
import { host } from './integration-kinds.ts';

/** Receipt printers at the desk that speak ESC/POS over the network. */

export const printerPapers = ['80', '58'] as const;
/** The letters that a printer has: one of its code pages, or none besides ASCII. */
export const printerLetters = ['cp857', 'windows1254', 'ascii'] as const;

const terms = {
  name,
  /** A host name or an IP address. */
  host,
  /** Printers and print servers listen here. Other ports are refused, so that nothing else is written to. */
  port: whole(9100, 9109).default(9100),
  /** Millimetres. */
  paper: z.enum(printerPapers).default('80'),
  letters: z.enum(printerLetters).default('cp857'),
};

export const printerForm = z.object(terms);
export type PrinterForm = z.output<typeof printerForm>;
const printerChange = changeOf(printerForm);
export type PrinterChange = z.output<typeof printerChange>;

export const printer = z.object({ id, location_id: id, ...terms, created_at: time, updated_at: time });
export type Printer = z.output<typeof printer>;

export const printersApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/printers',
    access: 'store-vouchers',
    location: 'id',
    summary: 'Receipt printers of a location, by name',
    params: idParams,
    reply: z.object({ data: z.array(printer) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/printers',
    access: 'update-vouchers',
    location: 'id',
    summary: 'Add a receipt printer',
    params: idParams,
    body: printerForm,
    reply: one(printer),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/printer/:id',
    access: 'update-vouchers',
    summary: 'Change a receipt printer',
    params: idParams,
    body: printerChange,
    reply: one(printer),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/printer/:id',
    access: 'update-vouchers',
    summary: 'Remove a receipt printer',
    params: idParams,
    reply: 'none',
  }),
  print: endpoint({
    method: 'POST',
    path: '/v1/panel/printer/:id/vouchers',
    access: 'store-vouchers',
    summary: 'Print vouchers on a receipt printer; a failure names its reason, and the vouchers stay issued',
    params: idParams,
    body: z.object({ batch_id: id, voucher_ids: z.array(id).min(1).max(50) }),
    reply: one(z.object({ printed: z.number() })),
    status: 200,
  }),
} as const;
