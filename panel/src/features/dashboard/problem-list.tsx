import type { CurrentProblem } from '@portico/contract/statistics.ts';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useProblems } from '#features/dashboard/dashboard.api.ts';
import classes from '#features/dashboard/dashboard.module.css';
import { formatNumber, formatRelative } from '#lib/format.ts';
import type { ListSearch } from '#lib/search.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { StatusDot } from '#ui/status-dot.tsx';

const toLicence = ({ id }: CurrentProblem): LinkProps => ({
  to: '/admin',
  search: { customer: id, tab: 'settings-license' },
});

/** Where each kind of problem can be mended. */
const remedies: Readonly<Record<CurrentProblem['kind'], (it: CurrentProblem) => LinkProps>> = {
  failed_logins: it => ({ to: '/', search: { show: 'failed', locations: it.id } }),
  demo: toLicence,
  licence: toLicence,
  controller: it => ({ to: '/devices/$deviceId', params: { deviceId: it.id } }),
  log_silence: it => ({ to: '/devices/$deviceId/logs', params: { deviceId: it.id } }),
  backlog: it => ({ to: '/devices/$deviceId/info', params: { deviceId: it.id } }),
  certificate: it => ({ to: '/devices/$deviceId/certificates', params: { deviceId: it.id } }),
  integration: it => ({ to: '/integrations/$integrationId/edit', params: { integrationId: it.id } }),
  sms: it => ({ to: '/locations/$locationId/edit', params: { locationId: it.id } }),
};

/** Words and tone. Nothing has stopped yet because of a warning. */
function wordsOf({ kind, amount, since }: CurrentProblem, now: number) {
  const isLeft = amount !== null && amount > 0;
  switch (kind) {
    case 'demo':
    case 'licence':
      return isLeft
        ? ({ tone: 'warn', title: `licence.${kind}Ends`, text: 'licence.endsText' } as const)
        : ({ tone: 'bad', title: `licence.${kind}Over`, text: 'licence.overText' } as const);
    case 'certificate':
      return since !== null && Date.parse(since) < now
        ? ({ tone: 'bad', title: 'problem.certificateOver', text: 'problem.certificateOverText' } as const)
        : ({ tone: 'warn', title: 'problem.certificate', text: 'problem.certificateText' } as const);
    default: {
      const isWarning = kind === 'backlog' || (kind === 'sms' && isLeft);
      return { tone: isWarning ? 'warn' : 'bad', title: `problem.${kind}`, text: `problem.${kind}Text` } as const;
    }
  }
}

/**
 * The current problems besides devices that are offline: a sentence and the way to mend it. Renders nothing without problems.
 * `only`: of one device.
 */
export function ProblemList({ only, search = {} }: { only?: string; search?: ListSearch }) {
  const { t } = useTranslation('dashboard');
  const all = useProblems(search).data?.data;
  const here = useWorkingLocation();
  const problems = all?.filter(
    it =>
      (!only || it.id === only) &&
      // The notice above is about the licence of the active location.
      !((it.kind === 'demo' || it.kind === 'licence') && it.id === here),
  );
  if (!problems?.length) return null;
  const now = Date.now();
  return (
    <section aria-label={t('problem.title')}>
      <ul className={classes.problems}>
        {problems.map(it => {
          const { tone, title, text } = wordsOf(it, now);
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
              <StatusDot tone={tone}>
                <strong>{t(title, details)}</strong>
              </StatusDot>
              <span>
                {elsewhere && `${elsewhere}. `}
                {isTold && t(text, details)}
              </span>
              <Link {...remedies[it.kind](it)}>{t(`problem.${it.kind}Action`)}</Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
