import type { PmsConnection } from '@portico/contract/integration-kinds.ts';

/** One read of a hotel's table. `host` is an address that was checked already. */
export interface PmsRead {
  readonly connection: PmsConnection;
  readonly host: string;
  /** Columns as text; none: every column as it is. */
  readonly columns: readonly string[] | undefined;
  readonly limit: number;
}

export interface PmsTable {
  /** In the order of the table. */
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Connects, reads and leaves; rejects with the other side's words. Nothing is ever written there. */
export type PmsReader = (read: PmsRead) => Promise<PmsTable>;

/** `schema.table` as its parts, each to be quoted by itself. */
export const tableParts = (table: string): string[] => table.split('.').filter(Boolean);

export const connectMs = 5000;
export const queryMs = 15_000;
