import type { Language } from '@portico/contract/errors.ts';
import type { IntegrationConnection } from '@portico/contract/integration-kinds.ts';
import type { App } from '#lib/app.ts';

export interface Finding {
  readonly name: string;
  readonly value: string | null;
}

export interface Trial<C> {
  readonly app: App;
  readonly connection: C;
  readonly language: Language;
  /** The brand that letters and messages of a trial name. */
  readonly brand: string;
  /** Whom a mail or an SMS of a trial is sent to. */
  readonly to: string | undefined;
}

/** What differs between the kinds. */
export interface KindRules<C> {
  /** Connects and tells what it found; throws what went wrong. */
  readonly test: (trial: Trial<C>) => Promise<Finding[]>;
  /** The field to which a failed trial belongs. */
  readonly field: string;
  /** Whether it must work before it is kept. */
  readonly proven: boolean;
}

/** As stored: what the operator gave, and for a webhook what it signs with. */
export type Stored = IntegrationConnection & {
  signing?: { secret: string; old?: { secret: string; until: string } | undefined };
};
