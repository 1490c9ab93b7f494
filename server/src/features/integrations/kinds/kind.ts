import type { Language } from '@portico/contract/errors.ts';
import type { IntegrationConnection } from '@portico/contract/integration-kinds.ts';
import type { IntegrationProblem } from '@portico/contract/integration-problems.ts';
import type { App } from '#lib/app.ts';

/** One line of a test's result, such as a column with a sample value. */
export interface TestResult {
  readonly name: string;
  readonly value: string | null;
}

export interface ConnectionTest<C> {
  readonly app: App;
  readonly connection: C;
  readonly language: Language;
  /** The brand that a test mail or test SMS names. */
  readonly brand: string;
  /** The recipient of a test mail or test SMS. */
  readonly to: string | undefined;
}

/** The differences between the kinds. */
export interface KindRules<C> {
  /** Connects and returns the result; throws on failure. */
  test(test: ConnectionTest<C>): Promise<TestResult[]>;
  /** The field at which a failed test is reported. */
  readonly field: string;
  /** The fields for problems that belong elsewhere. */
  readonly problemFields?: Partial<Record<IntegrationProblem, string>>;
  /** Whether the connection must work before it is saved. */
  readonly testedOnSave: boolean;
}

/** The stored form: the connection that the operator entered and, for a webhook, its signing secrets. */
export type Stored = IntegrationConnection & {
  signing?: { secret: string; old?: { secret: string; until: string } | undefined };
};
