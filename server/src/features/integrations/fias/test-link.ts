import type { FiasConnection } from '@portico/contract/integration-kinds.ts';
import type { ConnectionTest, TestResult } from '../kinds/kind.ts';
import { IntegrationError } from '../problems.ts';
import { FiasLine } from './line.ts';

const answerMs = 8000;

/** Starts the link and ends it again. */
export async function testFias({ app, connection }: ConnectionTest<FiasConnection>): Promise<TestResult[]> {
  const line = await FiasLine.open(app, connection, 'UTC');
  const timer = setTimeout(() => line.close(new IntegrationError('timed_out')), answerMs);
  try {
    for await (const { type } of line.records()) if (type === 'LA') return [{ name: 'link', value: 'LA' }];
    throw new IntegrationError('bad_answer');
  } finally {
    clearTimeout(timer);
    line.end();
  }
}
