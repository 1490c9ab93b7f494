import { Button, TextInput } from '@mantine/core';
import { type IntegrationSlug, operatorSlugs } from '@portico/contract/integration-names.ts';

import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/integrations/integrations.module.css';
import { ApiError } from '#lib/client.ts';

/** A column of the PMS table with a sample value, or another result of a test. */
export interface TestResult {
  name: string;
  value: string | null;
}

interface Props {
  kind: IntegrationSlug;
  /** Tests the connection with the values of the form. */
  onTry: (to: string | undefined) => Promise<readonly TestResult[]>;
}

const sends = (slug: IntegrationSlug) =>
  slug === 'smtp' ? 'email' : slug === 'sms-http' || operatorSlugs.some(each => each === slug) ? 'tel' : undefined;

/** A button that tests the connection, and the result. Mail servers and SMS gateways send a test message. */
export function ConnectionTest({ kind, onTry }: Props) {
  const { t } = useTranslation('integrations');
  const [to, setTo] = useState('');
  const [state, setState] = useState<{ found?: readonly TestResult[]; problem?: string; busy?: true }>({});
  const type = sends(kind);
  const run = () => {
    setState({ busy: true });
    onTry(to.trim() || undefined).then(
      found => setState({ found }),
      (error: unknown) =>
        setState({
          problem: error instanceof ApiError ? (Object.values(error.errors)[0]?.[0] ?? error.message) : String(error),
        }),
    );
  };
  const hosts = state.found?.find(it => it.name === 'walled_garden')?.value;
  const words = type ? t(`trial.${type}`) : kind === 'webhook' ? t('trial.webhook') : t('connection.test');
  return (
    <div className={classes.trial}>
      {type && (
        <TextInput
          type={type}
          label={t(`trial.to.${type}`)}
          value={to}
          onChange={event => setTo(event.currentTarget.value)}
          autoComplete="off"
        />
      )}
      <Button variant="default" onClick={run} loading={state.busy ?? false}>
        {words}
      </Button>
      <div aria-live="polite" className={classes.outcome}>
        {state.problem && <p data-bad>{state.problem}</p>}
        {state.found && (
          <p>
            <IconCircleCheck size={16} aria-hidden /> {t('trial.works')}
          </p>
        )}
        {hosts && <p>{t('openid.garden', { hosts })}</p>}
      </div>
    </div>
  );
}
