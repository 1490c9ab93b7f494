import type { IdentityMatch } from '@portico/contract/identity.ts';
import { visibleText } from '@portico/contract/visible-text.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/identity/identity.module.css';
import { dateFormat } from '#lib/date-format.ts';
import { formatBytes } from '#lib/format.ts';
import { language } from '#lib/language.ts';
import { Card } from '#ui/card.tsx';
import { type Fact, Facts } from '#ui/facts.tsx';
import { Tag } from '#ui/tag.tsx';

/** Formats a time in the time zone of the query, not of the browser, with its offset: a local time may exist twice. */
export const clock = (time: string, timeZone: string): string =>
  dateFormat(language() === 'tr' ? 'tr-TR' : 'en-GB', {
    ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'longOffset' } as const),
    timeZone,
  }).format(new Date(time));

export function MatchCard({ match, timeZone, twice }: { match: IdentityMatch; timeZone: string; twice: boolean }) {
  const { t } = useTranslation(['identity', 'common']);
  const { guest, session, consent, lease, device } = match;
  const at = (time: string) => clock(time, timeZone);
  const tone = match.certain ? 'good' : match.tie === 'behind' ? 'bad' : 'warn';
  const person: (Fact | undefined)[] = guest
    ? [
        { label: t('proof'), value: t(`method.${guest.provider_type as 'sms'}`) },
        fact(t('citizenId'), guest.citizen_id),
        fact(t('birthDate'), guest.birth_date),
        fact(t('phone'), guest.phone),
        fact(t('email'), guest.email),
        fact(t('username'), guest.username),
        fact(t('room'), guest.room_number),
        fact(
          t('consent'),
          consent && t('agreed', { version: consent.version.slice(0, 12), at: at(consent.agreed_at) }),
        ),
      ]
    : [];
  const facts = [
    fact(t('forTime'), twice ? at(match.asked_at) : null),
    ...person,
    fact(t('mac'), session.client_mac, true),
    fact(t('lease'), lease && t(`lent.${lease.source}`, { address: lease.address, at: at(lease.at) })),
    fact('IPv6', session.ipv6.map(it => `${it.address} (${at(it.first_at)} – ${at(it.last_at)})`).join(', ') || null),
    fact(t('session'), `${at(session.started_at)} – ${session.ended_at ? at(session.ended_at) : t('open')}`),
    fact(
      t('traffic'),
      session.figures_reported
        ? t('traffics', { down: formatBytes(session.download), up: formatBytes(session.upload) })
        : t('common:notReported'),
    ),
    fact(t('location'), match.location.name),
    fact(t('device'), device && [device.name, device.nas_identifier, device.address].filter(Boolean).join(' · ')),
  ].filter(it => it !== undefined);
  return (
    <Card title={guest?.name ?? t('noGuest')} description={t(`tie.${match.tie}`)}>
      <p className={classes.tags}>
        <Tag tone={tone}>{t(`sure.${tone}`)}</Tag>
        {match.near && <Tag tone="warn">{t('near')}</Tag>}
        {match.proof === 'unproven' && <Tag tone="bad">{t('unproven')}</Tag>}
      </p>
      <p className={classes.proof}>{t(`proofs.${match.proof}`)}</p>
      <Facts facts={facts} />
      {match.lines.length > 0 && (
        <details className={classes.lines}>
          <summary>{t('lines', { count: match.lines.length })}</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it. */}
          <pre tabIndex={0}>
            {match.lines.map(line => `[${t(`lineProofs.${line.proof}`)}] ${visibleText(line.text)}`).join('\n')}
          </pre>
        </details>
      )}
    </Card>
  );
}

const fact = (label: string, value: string | null | undefined, code = false): Fact | undefined =>
  value ? { label, value, code } : undefined;
