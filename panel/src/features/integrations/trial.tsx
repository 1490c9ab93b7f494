import { Button, TextInput } from '@mantine/core';
import { type IntegrationSlug, operatorSlugs } from '@portico/contract/integration-names.ts';

import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/integrations/integrations.module.css';
import { ApiError } from '#lib/client.ts';

/** A column of the hotel's table, with a sample of what it holds; or what else a trial found. */
export interface Finding {
  name: string;
  value: string | null;
}

interface Props {
  kind: IntegrationSlug;
  /** Tries the connection as it stands in the form. */
  onTry: (to: string | undefined) => Promise<readonly Finding[]>;
}

const sends = (slug: IntegrationSlug) =>
  slug === 'smtp' ? 'email' : slug === 'sms-http' || operatorSlugs.some(each => each === slug) ? 'tel' : undefined;

/** A button that tries the connection, and what came of it; a mail server or SMS gateway sends a message of trial. */
export function Trial({ kind, onTry }: Props) {
  const { t } = useTranslation('integrations');
  const [to, setTo] = useState('');
  const [state, setState] = useState<{ found?: readonly Finding[]; problem?: string; busy?: true }>({});
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
        {state.found && kind === 'openid' && (
          <p>{t('openid.garden', { hosts: state.found.find(it => it.name === 'walled_garden')?.value ?? '' })}</p>
        )}
      </div>
    </div>
  );
}
