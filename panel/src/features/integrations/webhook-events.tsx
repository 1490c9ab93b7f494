import { Checkbox } from '@mantine/core';
import { webhookEventGroups } from '@portico/contract/integration-names.ts';
import { webhookAccess } from '@portico/contract/webhook-access.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/integrations/integrations.module.css';
import { useCan } from '#lib/permissions.ts';

const groups = Object.keys(webhookEventGroups) as (keyof typeof webhookEventGroups)[];

/** The events that a webhook gets, by what they are about: those that the user may see, and those that it has. */
export function WebhookEvents(input: { value?: string[] }) {
  const { t } = useTranslation('integrations');
  const can = useCan();
  const shown = groups.flatMap(group => {
    const events = webhookEventGroups[group].filter(it => input.value?.includes(it) || can(webhookAccess(it)));
    return events.length ? [{ group, events }] : [];
  });
  return (
    <Checkbox.Group label={t('webhook.events')} withAsterisk {...input}>
      {shown.map(({ group, events }) => (
        <fieldset key={group} className={classes.events}>
          <legend>{t(`eventGroup.${group}`)}</legend>
          <div className={classes.checks}>
            {events.map(event => (
              <Checkbox key={event} value={event} label={t(`event.${event}`)} description={<code>{event}</code>} />
            ))}
          </div>
        </fieldset>
      ))}
    </Checkbox.Group>
  );
}
