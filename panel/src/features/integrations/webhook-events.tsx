import { Checkbox } from '@mantine/core';
import { webhookEventGroups } from '@portico/contract/integration-names.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/integrations/integrations.module.css';

const groups = Object.keys(webhookEventGroups) as (keyof typeof webhookEventGroups)[];

/** The events that a webhook gets, by what they are about. */
export function WebhookEvents(input: object) {
  const { t } = useTranslation('integrations');
  return (
    <Checkbox.Group label={t('webhook.events')} withAsterisk {...input}>
      {groups.map(group => (
        <fieldset key={group} className={classes.events}>
          <legend>{t(`eventGroup.${group}`)}</legend>
          <div className={classes.checks}>
            {webhookEventGroups[group].map(event => (
              <Checkbox key={event} value={event} label={t(`event.${event}`)} description={<code>{event}</code>} />
            ))}
          </div>
        </fieldset>
      ))}
    </Checkbox.Group>
  );
}
