import type { FailedLogin } from '@portico/contract/sessions.ts';
import type { VisitorAttempt } from '@portico/contract/visitor-page.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isMethod, typedIn } from '#features/dashboard/attempt-inputs.ts';
import classes from '#features/dashboard/dialogs.module.css';
import { formatDateTime, formatDay, formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { showsLicences } from '#lib/tenant.ts';

type Attempt = FailedLogin['attempts'][number];
type AnyAttempt = Pick<Attempt & VisitorAttempt, 'provider_slug' | 'params' | 'reason' | 'is_known'> & {
  elsewhere?: Attempt['elsewhere'];
};

const reasons = [
  'unknown_device',
  'wrong_credentials',
  'unsupported_method',
  'blocked',
  'paused',
  'not_yet',
  'expired',
  'over_limit',
  'over_quota',
  'over_time',
  'license_over',
  'suspended',
  'hotspot_off',
  'wrong_details',
  'wrong_security_code',
  'bad_citizen_id',
  'wrong_code',
  'code_over',
  'identity_away',
  'sms_over',
  'free_over',
  'confirm_email',
] as const;
type Reason = (typeof reasons)[number];

/** Why a sign-in failed, as text; requires the dashboard's texts. */
export function useReason(): (attempt: AnyAttempt) => string {
  const { t } = useTranslation('dashboard');
  return ({ reason, is_known, elsewhere }) => {
    if (elsewhere) return t('reasons.other_location', { location: elsewhere.location.name });
    if (reason === 'wrong_credentials' && is_known !== null)
      return t(is_known ? 'reasons.wrong_password' : 'reasons.unknown_username');
    return (reasons as readonly string[]).includes(reason) ? t(`reasons.${reason as Reason}`) : reason;
  };
}

/** A link to where the cause of a failed sign-in can be changed. */
function Remedy({ attempt: { reason, is_known, elsewhere, device, params, ...it } }: { attempt: Attempt }) {
  const { t } = useTranslation('dashboard');
  const can = useCan();
  const visitor = it.visitor ?? elsewhere;
  if (device && ['blocked', 'hotspot_off', 'license_over'].includes(reason) && can('view-devices')) {
    const to = {
      blocked: '/devices/$deviceId/macs',
      hotspot_off: '/devices/$deviceId',
      license_over: showsLicences() ? '/devices/$deviceId/license' : '/devices/$deviceId',
    } as const;
    return (
      <Link to={to[reason as keyof typeof to]} params={{ deviceId: device.id }}>
        {t('openDevice')}
      </Link>
    );
  }
  if (visitor)
    return (
      <Link to="/visitors/$visitorId" params={{ visitorId: visitor.id }}>
        {t('openVisitor')}
      </Link>
    );
  if (is_known === false && params['username'] && can('view-clients'))
    return (
      <Link to="/visitors" search={{ search: params['username'] }}>
        {t('findVisitor')}
      </Link>
    );
  return null;
}

export function Attempts({ entry }: { entry: FailedLogin }) {
  const { t } = useTranslation('dashboard');
  const reason = useReason();
  const { attempts, total } = entry;
  return (
    <>
      <table className={classes.attempts}>
        <thead>
          <tr>
            <th scope="col">{t('date')}</th>
            <th scope="col">{t('method')}</th>
            <th scope="col">{t('inputs')}</th>
            <th scope="col">{t('reason')}</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map(attempt => (
            <tr key={`${attempt.created_at} ${JSON.stringify(attempt.params)}`}>
              <td>
                {formatDateTime(attempt.created_at)}
                {attempt.device && <small>{attempt.device.name}</small>}
              </td>
              <td>
                {isMethod(attempt.provider_slug) ? t(`provider.${attempt.provider_slug}`) : attempt.provider_slug}
              </td>
              <td>
                <AttemptInputs attempt={attempt} />
              </td>
              <td>
                {reason(attempt)} <Remedy attempt={attempt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > attempts.length && (
        <p className={classes.rest}>{t('olderTries', { total: formatNumber(total - attempts.length) })}</p>
      )}
    </>
  );
}

/** The entered values with their labels. */
export function AttemptInputs({ attempt }: { attempt: AnyAttempt }) {
  const { t } = useTranslation('dashboard');
  const typed = typedIn(attempt);
  if (typed.length === 0) return '–';
  return (
    <dl className={classes.inputs}>
      {typed.map(({ name, input, value, day }) => (
        <div key={name}>
          <dt>{input ? t(`input.${input}`) : name}</dt>
          <dd>{day ? formatDay(day) : value}</dd>
        </div>
      ))}
    </dl>
  );
}
