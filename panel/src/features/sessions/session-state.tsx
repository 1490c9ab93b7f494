import type { SessionCommand } from '@portico/contract/sessions.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/sessions/sessions.module.css';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';

const tones = {
  requested: 'busy',
  acknowledged: 'busy',
  confirmed: 'idle',
  refused: 'bad',
  'no-answer': 'warn',
} as const satisfies Record<SessionCommand['state'], Tone>;

/** Online, or the progress of the disconnect. The row disappears when the router reports the end of the session. */
export function SessionState({ kick }: { kick: SessionCommand | null }) {
  const { t } = useTranslation('sessions');
  if (!kick) return <StatusDot tone="good">{t('kick.none')}</StatusDot>;
  if (kick.kind === 'change' && kick.state === 'acknowledged')
    return <StatusDot tone="good">{t('kick.changed')}</StatusDot>;
  return (
    <span role="status" className={classes.state} title={kick.words || undefined}>
      <StatusDot tone={tones[kick.state]}>
        {kick.state === 'requested' && kick.within
          ? t('kick.within', { seconds: kick.within })
          : t(`kick.${kick.state}`)}
      </StatusDot>
      {kick.words && <span className="visually-hidden">{kick.words}</span>}
    </span>
  );
}
