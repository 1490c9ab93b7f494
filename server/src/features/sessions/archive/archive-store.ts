import type { SearchTerms } from '../search.queries.ts';

/** A session as the archive gives it to PostgreSQL, which adds names and addresses. */
export interface ArchivedSession {
  readonly tenant_id: string;
  readonly id: string;
  readonly location_id: string;
  readonly started_at: string;
  readonly client_mac: string | null;
  readonly client_ip: string | null;
}

/** Moments in microseconds since 1970; the end is not part of it. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

/** Which sessions of a tenant. Each condition that is set must hold. */
export interface ArchiveFilter {
  readonly began?: Span | undefined;
  /** Sessions of these locations began within another time, because their clocks differ. */
  readonly zones?: readonly (Span & { readonly locations: readonly string[] })[] | undefined;
  readonly endedFrom?: number | undefined;
  readonly locations?: readonly string[] | undefined;
  /** Lists of devices, of which each must hold the session's. */
  readonly devices?: readonly (readonly string[])[] | undefined;
  readonly mac?: string | undefined;
  readonly macPart?: string | undefined;
  readonly ip?: string | undefined;
  readonly ipPart?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** With `ip`: or one of these. */
  readonly orIds?: readonly string[] | undefined;
  readonly visitors?: readonly string[] | undefined;
  /** Sessions of these visitors, or with what was typed. */
  readonly found?: (SearchTerms & { readonly visitors: readonly string[] }) | undefined;
  /** Only sessions before this one in the list, which has the newest first. */
  readonly before?: { readonly at: number; readonly id: string } | undefined;
}

export interface ArchivedDevice {
  readonly client_mac: string;
  readonly sessions: number;
  readonly upload: number;
  readonly download: number;
  readonly figures_reported: boolean;
  readonly first_at: string;
  readonly last_at: string;
  readonly device_id: string;
}

/** The archived sessions of one tenant. Every call rejects with `away` if the archive does not answer, or lacks rows. */
export interface TenantArchive {
  find(
    filter: ArchiveFilter,
    page: {
      readonly limit: number;
      readonly offset?: number;
      readonly order?: 'asc' | 'desc';
      readonly coveringFirst?: number;
    },
  ): Promise<ArchivedSession[]>;
  /** At most `most`. */
  count(filter: ArchiveFilter, most: number): Promise<number>;
  /** The guest devices of sessions that have a MAC address. */
  devices(filter: ArchiveFilter): Promise<ArchivedDevice[]>;
}

/** A batch and how many rows of it the archive must have. */
export interface ReadBatch {
  readonly batch: number;
  readonly rows: number;
}

/** Where old sessions are kept. */
export interface SessionArchive {
  of(tenantId: string, batches: readonly ReadBatch[]): TenantArchive;
  /** Removes a batch, if it is there. */
  drop(batch: number): Promise<void>;
  /** Adds rows, one JSON list a line. Rows with the same token are added once. */
  add(lines: string, token: string): Promise<void>;
  sums(batch: number): Promise<Record<string, string>>;
  /** How many sessions of a batch ended before the time, and how many did not. */
  ended(batch: number, before: number): Promise<{ ended: number; left: number }>;
  deleteEnded(batch: number, before: number): Promise<void>;
  /** The visitors among `visitors` whose names are still in the archive. */
  named(tenantId: string, visitors: readonly string[]): Promise<string[]>;
  blankNames(tenantId: string, visitors: readonly string[]): Promise<void>;
  /** Whether changes are under way. */
  isChanging(): Promise<boolean>;
}
