import type { PmsSlug } from '@portico/contract/integrations.ts';
import { readMssql } from './mssql.queries.ts';
import { readMysql } from './mysql.queries.ts';
import { readPostgresql } from './postgresql.queries.ts';
import type { PmsReader } from './reader.ts';

export const readers: Record<PmsSlug, PmsReader> = {
  postgresql: readPostgresql,
  mysql: readMysql,
  mssql: readMssql,
};
