import { Button, TextInput } from '@mantine/core';
import type { LogSourceRow, QuarantinedSource } from '@portico/contract/log-sources.ts';
import { useTranslation } from 'react-i18next';
import { useDistrust, type useLogSources, useTrust } from '#features/logs/logs.api.ts';
import classes from '#features/logs/logs.module.css';
import { formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { Notice } from '#ui/notice.tsx';
import { Nothing, Panel } from '#ui/panel.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  deviceId: string;
  query: ReturnType<typeof useLogSources>;
}

/** The addresses from which lines of the device are accepted, and a field to trust another one. */
export function LogSources({ deviceId, query }: Props) {
  const { t } = useTranslation('logs');
  const can = useCan();
  const trusted = query.data?.data.trusted ?? [];
  return (
    <Panel title={t('sources.title')} query={query}>
      <p className={classes.whole}>{t('sources.help')}</p>
      {trusted.length === 0 && <Nothing>{t('sources.none')}</Nothing>}
      <ul className={classes.lost} aria-label={t('sources.trusted')}>
        {trusted.map(source => (
          <Source key={source.id} deviceId={deviceId} source={source} />
        ))}
      </ul>
      {can('update-devices') && <TrustForm deviceId={deviceId} />}
    </Panel>
  );
}

function Source({ deviceId, source }: { deviceId: string; source: LogSourceRow }) {
  const { t } = useTranslation('logs');
  const can = useCan();
  const distrust = useDistrust(deviceId, source);
  return (
    <li>
      <strong>{source.address}</strong>
      {can('update-devices') ? (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={t('sources.removeOf', { address: source.address })}
          loading={distrust.isPending}
          onClick={() => distrust.mutate()}
        >
          {t('sources.remove')}
        </Button>
      ) : (
        <span />
      )}
      <p>{t(`sources.proof.${source.proof}`)}</p>
      <small>
        <RelativeTime time={source.proven_at} />
      </small>
    </li>
  );
}

function TrustForm({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('logs');
  const trust = useTrust(deviceId);
  const { form, element } = useContractForm({
    schema: async () => (await import('@portico/contract/log-sources.ts')).trustForm,
    initial: { address: '' },
    submit: async values => {
      await trust.mutateAsync(values.address);
      form.reset();
    },
  });
  return (
    <form {...element} className={classes.trust}>
      <TextInput
        label={t('sources.add')}
        description={t('sources.addHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('address')}
      />
      <Button type="submit" variant="default" loading={trust.isPending}>
        {t('sources.trust')}
      </Button>
    </form>
  );
}

/** Lines of the device from unproven addresses, with a button to trust each address. */
export function QuarantineNotice({ deviceId, query }: Props) {
  const { t } = useTranslation('logs');
  const { quarantined = [], other_lines = 0 } = query.data?.data ?? {};
  if (quarantined.length === 0) return null;
  return (
    <section className={classes.quarantined} aria-label={t('sources.quarantine')}>
      <Notice tone="warn" title={t('sources.quarantineTitle')}>
        {t('sources.quarantineText', { count: quarantineDays })}
      </Notice>
      <ul className={classes.quarantine}>
        {quarantined.map(source => (
          <Quarantined key={source.address} deviceId={deviceId} source={source} />
        ))}
      </ul>
      {other_lines > 0 && (
        <p className={classes.quarantineText}>
          {t('sources.others', { count: other_lines, shown: formatNumber(other_lines) })}
        </p>
      )}
    </section>
  );
}

function Quarantined({ deviceId, source }: { deviceId: string; source: QuarantinedSource }) {
  const { t } = useTranslation('logs');
  const can = useCan();
  const trust = useTrust(deviceId);
  const { address, lines, last_at, samples } = source;
  return (
    <li>
      <div>
        <strong>{address}</strong>
        <span>
          {t('sources.lines', { count: lines, shown: formatNumber(lines) })}, {t('sources.last')}{' '}
          <RelativeTime time={last_at} />
        </span>
        {can('update-devices') && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('sources.trustOf', { address })}
            loading={trust.isPending}
            onClick={() => trust.mutate(address)}
          >
            {t('sources.trust')}
          </Button>
        )}
      </div>
      <details>
        <summary>{t('sources.samples')}</summary>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it. */}
        <pre tabIndex={0}>{samples.join('\n')}</pre>
      </details>
    </li>
  );
}

/** The value of the contract, repeated so that the first view does not load it. */
const quarantineDays = 7;
