import type { PmsConnection } from '@portico/contract/integration-kinds.ts';
import type { App } from '#lib/app.ts';
import { outboundAddress } from '#lib/outbound.ts';
import { AddressRefused } from '#lib/outbound-http.ts';
import { readMssql } from './mssql.queries.ts';
import { readMysql } from './mysql.queries.ts';
import { readPostgresql } from './postgresql.queries.ts';
import type { CheckedAddress, PmsReader, PmsTable } from './reader.ts';

const readers: Record<PmsConnection['type'], PmsReader> = {
  postgresql: readPostgresql,
  mysql: readMysql,
  mssql: readMssql,
};

/** Reads a hotel's table with the driver of its database. Refuses an address that the installation does not allow. */
export async function readTable(
  app: App,
  connection: PmsConnection,
  columns: readonly string[] | undefined,
  limit: number,
): Promise<PmsTable> {
  const checkedAddress: CheckedAddress = async host => {
    const address = await outboundAddress(host, app.settings.INTEGRATIONS_INSIDE);
    if (!address) throw new AddressRefused('this address is not allowed');
    return address;
  };
  const host = await checkedAddress(connection.db_host);
  return readers[connection.type]({ connection, host, checkedAddress, columns, limit });
}
