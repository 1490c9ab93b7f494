import { z } from 'zod';

/** A problem of one line, counted from 1. `column` is its header in the file. */
export const importProblem = z.object({ line: z.number(), column: z.string(), message: z.string() });
export type ImportProblem = z.output<typeof importProblem>;

/**
 * The result of an import, without carrying it out. At most the first 200 problems are listed, and the first 10 rows
 * as `sample`.
 */
export const importPreviewOf = <Sample extends z.ZodObject>(sample: Sample) =>
  z.object({
    rows: z.number(),
    /** Lines without a problem. */
    valid: z.number(),
    problems: z.array(importProblem),
    problem_count: z.number(),
    /** Columns of the file without a field. */
    ignored: z.array(z.string()),
    sample: z.array(sample),
  });
