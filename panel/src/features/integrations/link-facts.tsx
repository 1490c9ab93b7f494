import type { HotelLink } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '#lib/format.ts';
import { Card } from '#ui/card.tsx';
import { Facts } from '#ui/facts.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

const tones = { up: 'good', connecting: 'busy', down: 'bad' } as const;

/** The state of the link to a hotel system. */
export function LinkFacts({ link }: { link: HotelLink }) {
  const { t } = useTranslation('integrations');
  const time = (at: string | null) => (at ? <RelativeTime time={at} /> : '–');
  return (
    <Card title={t('link.title')}>
      <Facts
        facts={[
          {
            label: t('link.state'),
            value: <StatusDot tone={tones[link.state]}>{t(`link.states.${link.state}`)}</StatusDot>,
          },
          { label: t('link.since'), value: time(link.up_since) },
          { label: t('link.lastRecord'), value: time(link.last_record_at) },
          { label: t('link.guests'), value: formatNumber(link.guests) },
          { label: t('link.openCharges'), value: formatNumber(link.open_charges) },
        ]}
      />
    </Card>
  );
}
