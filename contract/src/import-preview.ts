import { z } from 'zod';

/** What is wrong with one line of the file, counted from 1 as a text editor does; `column` is named as in the file. */
export const importProblem = z.object({ line: z.number(), column: z.string(), message: z.string() });
export type ImportProblem = z.output<typeof importProblem>;

/** What an import would do. Of the problems the first 200 are listed, of the rows the first 10, each as `sample` has it. */
export const importPreviewOf = <Sample extends z.ZodObject>(sample: Sample) =>
  z.object({
    rows: z.number(),
    /** Lines without a problem. */
    valid: z.number(),
    problems: z.array(importProblem),
    problem_count: z.number(),
    /** Columns of the file that no field takes. */
    ignored: z.array(z.string()),
    sample: z.array(sample),
  });
