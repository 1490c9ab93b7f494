import type { PmsConnection } from '@portico/contract/integration-kinds.ts';
import type { App } from '#lib/app.ts';
import { outboundAddress } from '#lib/outbound.ts';
import { AddressRefused } from '#lib/outbound-http.ts';
import { readMssql } from './mssql.queries.ts';
import { readMysql } from './mysql.queries.ts';
import { readPostgresql } from './postgresql.queries.ts';
import type { PmsReader, PmsTable } from './reader.ts';

const readers: Record<PmsConnection['type'], PmsReader> = {
  postgresql: readPostgresql,
  mysql: readMysql,
  mssql: readMssql,
};

/** Reads a hotel's table through its own driver, unless its address is one that must not be reached from here. */
export async function readTable(
  app: App,
  connection: PmsConnection,
  columns: readonly string[] | undefined,
  limit: number,
): Promise<PmsTable> {
  const host = await outboundAddress(connection.db_host, app.settings.INTEGRATIONS_INSIDE);
  if (!host) throw new AddressRefused('this address is not allowed');
  return readers[connection.type]({ connection, host, columns, limit });
}
