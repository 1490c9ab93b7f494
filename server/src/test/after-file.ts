type Work = () => unknown;

const due: Work[] = [];

/**
 * Runs work after the test file, the last first. Helpers use it instead of `afterAll`, which Vitest ignores without a word
 * when a hook or a test calls it.
 */
export function afterFile(work: Work): void {
  due.push(work);
}

/** Does all that is due, also when some of it fails. */
export async function endFile(): Promise<void> {
  const errors: unknown[] = [];
  for (let work = due.pop(); work; work = due.pop()) {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'A test file left something that does not end');
}
