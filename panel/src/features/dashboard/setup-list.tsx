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
          const { text, button } = nextStep(step);
          const isNow = step === now;
          const isLeft = !isDone(facts, step);
          return (
            <li key={step} data-done={!isLeft || undefined} aria-current={isNow ? 'step' : undefined}>
              <i aria-hidden="true">{!isLeft && <IconCheck size={14} stroke={2.4} />}</i>
              <div>
                <strong>{t(`setup.${step}`)}</strong>
                {!isLeft && <span className="visually-hidden">{t('setup.done')}</span>}
                {(isNow || (isLeft && step !== 'online' && !button)) && (
                  <p role={isNow ? 'status' : undefined}>{t(`setup.${text}`, { name: facts.device?.name })}</p>
                )}
              </div>
              {isLeft && button && (
                <Button
                  size="xs"
                  variant={isNow ? 'filled' : 'default'}
                  renderRoot={props => <Link {...button.to} {...props} />}
                >
                  {t(`setup.${button.text}`)}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

type StepWithButton = Exclude<Step, 'online'> | 'waiting';

interface NextStep {
  readonly text: `${Step | 'waiting'}Text` | `${StepWithButton}ByOthers`;
  readonly button?: { readonly text: `${StepWithButton}Action`; readonly to: LinkProps };
}

/** The sentence and the button of a step. Users who may not take it read who may. */
function useNextStep({ device }: SetupFacts): (step: Step) => NextStep {
  const can = useCan();
  const here = useWorkingLocation();
  const stepTo = (step: StepWithButton, to: LinkProps | false): NextStep =>
    to ? { text: `${step}Text`, button: { text: `${step}Action`, to } } : { text: `${step}ByOthers` };
  return step => {
    if (step === 'online') return { text: 'onlineText' };
    if (step === 'router' && device)
      return stepTo(
        'waiting',
        can('view-devices') && { to: '/devices/$deviceId/info', params: { deviceId: device.id } },
      );
    const ways: Record<Exclude<Step, 'online'>, LinkProps | false> = {
      location: can('create-location') && { to: '/locations', hash: 'add' },
      router: can('store-devices') && { to: '/devices', hash: 'add' },
      portal: can('store-portals') && (here ? { to: '/onboarding/portal' } : { to: '/portals', hash: 'add' }),
      visitor: can('store-clients') && { to: '/visitors', hash: 'add' },
    };
    return stepTo(step, ways[step]);
  };
}
