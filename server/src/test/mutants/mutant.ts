/** A deliberate defect, and the test that must notice it. */
interface Defect {
  /** The defect, as a sentence. It names the mutant. */
  readonly wrong: string;
  /** The test file, from the root of the project. */
  readonly test: string;
  /** Words of the title of the test, or of its group; empty for the whole file. */
  readonly title: string;
  /** Checked by every `npm test`. The others are checked when their file changes, and by `npm run mutants`. */
  readonly always?: true;
}

/** Replaces one place of a source file. */
export interface SourceMutant extends Defect {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Replaces one place of a SQL function or procedure, or runs a statement that changes the schema, such as `alter policy`. */
export type SqlMutant = Defect & ({ readonly from: string; readonly to: string } | { readonly statement: string });

export type Mutant = SourceMutant | SqlMutant;

export const isSource = (mutant: Mutant): mutant is SourceMutant => 'file' in mutant;
