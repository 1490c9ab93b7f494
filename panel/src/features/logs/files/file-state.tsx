import type { LogFile } from '@portico/contract/logs.ts';
import { useTranslation } from 'react-i18next';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';

const states = {
  open: 'busy',
  sealed: 'good',
  stamped: 'good',
  missing: 'bad',
  changed: 'bad',
} as const satisfies Record<string, Tone>;

/** The state of a log file in the hash chain. */
export function FileState({ file }: { file: LogFile }) {
  const { t } = useTranslation('logs');
  const state = file.problem ?? (file.stamped ? 'stamped' : file.sealed ? 'sealed' : 'open');
  return (
    <span title={t(`stateHelp.${state}`)}>
      <StatusDot tone={states[state]}>{t(`states.${state}`)}</StatusDot>
    </span>
  );
}
