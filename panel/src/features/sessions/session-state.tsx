import type { SessionCommand } from '@portico/contract/sessions.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '#features/sessions/sessions.module.css';
import { useCan } from '#lib/permissions.ts';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';

const tones = {
  requested: 'busy',
  acknowledged: 'busy',
  confirmed: 'idle',
  refused: 'bad',
  'no-answer': 'warn',
} as const satisfies Record<SessionCommand['state'], Tone>;

interface Props {
  kick: SessionCommand | null;
  device: { readonly id: string } | null;
}

/** Online, or the progress of the disconnect. The row disappears when the router reports the end of the session. */
export function SessionState({ kick, device }: Props) {
  const { t } = useTranslation('sessions');
  if (!kick) return <StatusDot tone="good">{t('kick.none')}</StatusDot>;
  if (kick.kind === 'change' && kick.state === 'acknowledged')
    return <StatusDot tone="good">{t('kick.changed')}</StatusDot>;
  return (
    <span role="status" className={classes.state}>
      <StatusDot tone={tones[kick.state]}>
        {kick.state === 'requested' && kick.within
          ? t('kick.within', { seconds: kick.within })
          : t(`kick.${kick.state}`)}
      </StatusDot>
      {(kick.state === 'refused' || kick.state === 'no-answer') && <Failure kick={kick} device={device} />}
    </span>
  );
}

/** Causes that examining the router would not explain. */
const plain = {
  'Unsupported-Service': 'unendable.short',
  'Unsupported-Extension': 'unendable.short',
  'Session-Context-Not-Found': 'kick.unknownThere',
} as const;
const isPlain = (words: string): words is keyof typeof plain => Object.hasOwn(plain, words);

/** What follows for the guest, the router's reason, and the way to its remedy. */
function Failure({ kick, device }: Props & { kick: SessionCommand }) {
  const { t } = useTranslation('sessions');
  const can = useCan();
  const { kind, state, words } = kick;
  if (isPlain(words)) return <small className={classes.reason}>{t(plain[words])}</small>;
  return (
    <small className={classes.reason}>
      {t(`kick.${kind}.${state === 'refused' ? 'refused' : 'silent'}`)} {words && `(${words})`}{' '}
      {device && can('view-devices') && (
        <Link to="/devices/$deviceId" params={{ deviceId: device.id }}>
          {t('kick.examine')}
        </Link>
      )}
    </small>
  );
}
