import { Button } from '@mantine/core';
import type { SetupFacts } from '@portico/contract/statistics.ts';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '#features/dashboard/setup-list.module.css';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';
import { everyMinute, useLive } from '#lib/use-live.ts';
import { useWorkingLocation } from '#lib/working-location.ts';

const steps = ['location', 'router', 'portal', 'visitor', 'online'] as const;
type Step = (typeof steps)[number];

const isDone = (facts: SetupFacts, step: Step): boolean => (step === 'router' ? facts.connected : facts[step]);

/** The facts of the set-up of the active location, else of all. */
export const useSetup = () => useQuery({ ...queryOf(api.statistics.setup), ...everyMinute });

const isSetUp = (facts: SetupFacts): boolean => steps.every(step => isDone(facts, step));

const permissions = ['create-location', 'store-devices', 'store-portals', 'store-clients'] as const;

/** Whether to show the list: a step is left, and the user may take some of them. */
export function useSetupIsShown(facts: SetupFacts | undefined): boolean {
  const can = useCan();
  return facts !== undefined && !isSetUp(facts) && permissions.some(can);
}

/** The way from an empty location to the first guest. It stays until the server has seen each step. */
export function SetupList({ facts }: { facts: SetupFacts }) {
  const { t } = useTranslation('dashboard');
  useLive('locations', api.statistics.setup);
  useLive('devices', api.statistics.setup);
  useLive('device-seen', api.statistics.setup);
  useLive('portals', api.statistics.setup);
  useLive('visitors', api.statistics.setup);
  useLive('vouchers', api.statistics.setup);
  useLive('sessions', api.statistics.setup);
  const nextStep = useNextStep(facts);
  const now = steps.find(step => !isDone(facts, step));
  const done = steps.filter(step => isDone(facts, step)).length;
  return (
    <section className={classes.setup} aria-labelledby="setup">
      <header>
        <h2 id="setup">{t('setup.title')}</h2>
        <span>{t('setup.progress', { done, all: steps.length })}</span>
      </header>
      <ol>
        {steps.map(step => {
          const { key, action, to } = nextStep(step);
          const isNow = step === now;
          return (
            <li key={step} data-done={isDone(facts, step) || undefined} aria-current={isNow ? 'step' : undefined}>
              <i aria-hidden="true">{isDone(facts, step) && <IconCheck size={14} stroke={2.4} />}</i>
              <div>
                <strong>{t(`setup.${step}`)}</strong>
                {isDone(facts, step) && <span className="visually-hidden">{t('setup.done')}</span>}
                {isNow && <p role="status">{t(`setup.${key}Text`, { name: facts.device?.name })}</p>}
              </div>
              {!isDone(facts, step) && to && (
                <Button
                  size="xs"
                  variant={isNow ? 'filled' : 'default'}
                  renderRoot={props => <Link {...to} {...props} />}
                >
                  {t(`setup.${action}`)}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The sentence of a step and the way to it, where the user may take it. */
function useNextStep({ device }: SetupFacts) {
  const can = useCan();
  const here = useWorkingLocation();
  return (step: Step): { key: Step | 'waiting'; action: `${Step | 'waiting'}Action`; to: LinkProps | false } => {
    if (step === 'router' && device)
      return {
        key: 'waiting',
        action: 'waitingAction',
        to: can('view-devices') && { to: '/devices/$deviceId/info', params: { deviceId: device.id } },
      };
    const ways: Record<Step, LinkProps | false> = {
      location: can('create-location') && { to: '/locations', hash: 'add' },
      router: can('store-devices') && { to: '/devices', hash: 'add' },
      portal: can('store-portals') && (here ? { to: '/onboarding/portal' } : { to: '/portals', hash: 'add' }),
      visitor: can('store-clients') && { to: '/visitors', hash: 'add' },
      online: false,
    };
    return { key: step, action: `${step}Action`, to: ways[step] };
  };
}
