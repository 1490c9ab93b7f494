import { type Instrumenter, Instrumenter as StrykersInstrumenter } from '@stryker-mutator/instrumenter';
import type { Change } from './change.ts';

type Logger = ConstructorParameters<typeof Instrumenter>[0];

const ignore = () => undefined;
const no = () => false;
const silent: Logger = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
};

/** The changes that Stryker would make. Texts stay: an empty SQL statement or key tells nothing about the tests. */
export async function sourceChanges(file: string, text: string): Promise<Change[]> {
  const { mutants } = await new StrykersInstrumenter(silent).instrument([{ name: file, content: text, mutate: true }], {
    plugins: null,
    ignorers: [],
    excludedMutations: ['StringLiteral'],
  });
  const lines = text.split('\n');
  const starts = lines.map((_, line) => lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0));
  const offset = ({ line, column }: { line: number; column: number }) => starts[line]! + column;
  return mutants
    .filter(it => it.status !== 'Ignored')
    .map(({ location: { start, end }, replacement }) => ({
      file,
      start: offset(start),
      end: offset(end),
      to: replacement,
    }));
}
