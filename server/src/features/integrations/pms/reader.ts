import type { PmsConnection } from '@portico/contract/integration-kinds.ts';

/** The address to connect to for a host; rejects when the installation does not allow that address. */
export type CheckedAddress = (host: string) => Promise<string>;

/** One read of a hotel's table. `host` is a checked address; `checkedAddress` checks any other that the server names. */
export interface PmsRead {
  readonly connection: PmsConnection;
  readonly host: string;
  readonly checkedAddress: CheckedAddress;
  /** The columns to read, as text; undefined: every column, unconverted. */
  readonly columns: readonly string[] | undefined;
  readonly limit: number;
}

export interface PmsTable {
  /** In the order of the table. */
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Connects, reads and disconnects; rejects with the error of the driver. It never writes. */
export type PmsReader = (read: PmsRead) => Promise<PmsTable>;

/** The parts of `schema.table`, each of which is quoted by itself. */
export const tableParts = (table: string): string[] => table.split('.').filter(Boolean);

export const connectMs = 5000;
export const queryMs = 15_000;
