import type { CurrentProblem } from '@portico/contract/statistics.ts';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useProblems } from '#features/dashboard/dashboard.api.ts';
import classes from '#features/dashboard/dashboard.module.css';
import { formatNumber, formatRelative } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { StatusDot } from '#ui/status-dot.tsx';

/** Where each kind of problem can be mended. */
const remedies: Readonly<Record<CurrentProblem['kind'], (it: CurrentProblem) => LinkProps>> = {
  failed_logins: it => ({ to: '/', search: { show: 'failed', locations: it.id } }),
  controller: it => ({ to: '/devices/$deviceId', params: { deviceId: it.id } }),
  log_silence: it => ({ to: '/devices/$deviceId/logs', params: { deviceId: it.id } }),
  backlog: it => ({ to: '/devices/$deviceId/info', params: { deviceId: it.id } }),
  certificate: it => ({ to: '/devices/$deviceId/certificates', params: { deviceId: it.id } }),
  integration: it => ({ to: '/integrations/$integrationId/edit', params: { integrationId: it.id } }),
  sms: it => ({ to: '/locations/$locationId/edit', params: { locationId: it.id } }),
};

/** Nothing has stopped yet because of these. */
const warnings: readonly CurrentProblem['kind'][] = ['backlog', 'certificate', 'sms'];

/**
 * The current problems besides devices that are offline: a sentence and the way to mend it. Renders nothing without problems.
 * `only`: of one device.
 */
export function ProblemList({ only }: { only?: string }) {
  const { t } = useTranslation('dashboard');
  const [search] = useListSearch();
  const all = useProblems(search).data?.data;
  const problems = only ? all?.filter(it => it.id === only) : all;
  const here = useWorkingLocation();
  if (!problems?.length) return null;
  const now = Date.now();
  return (
    <section aria-label={t('problem.title')}>
      <ul className={classes.problems}>
        {problems.map(it => {
          const isPast = it.since !== null && Date.parse(it.since) < now;
          const key = it.kind === 'certificate' && isPast ? 'certificateOver' : it.kind;
          const details = {
            name: it.name,
            count: it.amount ?? 0,
            amount: formatNumber(it.amount ?? 0),
            when: it.since ? formatRelative(it.since, now) : '',
          };
          // A link to a hotel system is not tried at certain times.
          const isTold = it.kind !== 'integration' || it.since !== null;
          const elsewhere = it.location && it.location.id !== here && it.location.id !== it.id && it.location.name;
          return (
            <li key={`${it.kind} ${it.id}`}>
              <StatusDot tone={warnings.includes(it.kind) ? 'warn' : 'bad'}>
                <strong>{t(`problem.${key}`, details)}</strong>
              </StatusDot>
              <span>
                {elsewhere && `${elsewhere}. `}
                {isTold && t(`problem.${key}Text`, details)}
              </span>
              <Link {...remedies[it.kind](it)}>{t(`problem.${it.kind}Action`)}</Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
