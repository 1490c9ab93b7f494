import type { Printer, PrinterChange, PrinterForm } from '@portico/contract/printers.ts';
import sql, { empty } from 'sql-template-tag';
import { nameOrder } from '#db/list.ts';
import { andLocation, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';

const columns = sql`p.id, p.location_id, p.name, p.host, p.port, p.paper, p.letters, p.created_at, p.updated_at`;

export const listPrinters = (tx: Tx, locationId: string) =>
  tx.many<Printer>(
    sql`select ${columns} from printers p where p.location_id = ${locationId} order by ${nameOrder(sql`p.name`)}, p.id limit 100`,
  );

export const findPrinter = (tx: Tx, scope: Scope, id: string, lock?: 'lock') =>
  tx.maybe<Printer>(sql`
    select ${columns} from printers p where p.id = ${id} ${andLocation(scope, sql`p.location_id`)}
    ${lock ? sql`for update of p` : empty}`);

export const insertPrinter = (tx: Tx, it: PrinterForm & { id: string; locationId: string }) =>
  tx.run(sql`
    insert into printers (id, location_id, name, host, port, paper, letters)
    values (${it.id}, ${it.locationId}, ${it.name}, ${it.host}, ${it.port}, ${it.paper}, ${it.letters})`);

export const updatePrinter = (tx: Tx, id: string, change: PrinterChange) =>
  tx.run(sql`update printers set ${assignments({ ...change })} where id = ${id}`);

export const deletePrinter = (tx: Tx, id: string) => tx.run(sql`delete from printers where id = ${id}`);
