import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { portalLanguages } from '@portico/contract/portal-languages.ts';
import { cardSettingsForm } from '@portico/contract/vouchers.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { papers } from '#features/vouchers/print-vouchers.tsx';
import type { CardSettings } from '#features/vouchers/voucher-sheet.tsx';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  locationId: string;
  onClose: () => void;
}

/** How the printed vouchers of a location look. */
export function CardSettingsForm({ locationId, onClose }: Props) {
  const query = queryOf(api.vouchers.card, { params: { id: locationId } });
  const settings = useQuery({ ...query, staleTime: 0, gcTime: 0 }).data?.data;
  return settings ? <Loaded locationId={locationId} settings={settings} onClose={onClose} /> : null;
}

function Loaded({ locationId, settings, onClose }: Props & { settings: CardSettings }) {
  const { t } = useTranslation('vouchers');
  const save = useChange({
    send: (body: Partial<CardSettings>) => call(api.vouchers.setCard, { params: { id: locationId }, body }),
    refresh: [api.vouchers.card, api.vouchers.desk],
    done: t('settings.saved'),
  });
  const form = useContractForm<
    typeof cardSettingsForm,
    Omit<CardSettings, 'wifi_password'> & { wifi_password: string }
  >({
    schema: async () => cardSettingsForm,
    initial: { ...settings, wifi_password: settings.wifi_password ?? '' },
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { getInputProps } = form.form;
  const names = new Intl.DisplayNames(t('settings.locale'), { type: 'language' });
  return (
    <FormModal title={t('settings.title')} form={form} pending={save.isPending} onClose={onClose}>
      <div className={layout.two}>
        <TextInput label={t('settings.ssid')} data-autofocus autoComplete="off" {...getInputProps('ssid')} />
        <TextInput
          label={t('settings.password')}
          placeholder={t('settings.open')}
          autoComplete="off"
          spellCheck={false}
          {...getInputProps('wifi_password')}
        />
      </div>
      <div className={layout.two}>
        <Select
          label={t('settings.language')}
          allowDeselect={false}
          data={portalLanguages.map(it => ({ value: it, label: names.of(it) ?? it }))}
          {...getInputProps('language')}
        />
        <Select
          label={t('card.paper')}
          allowDeselect={false}
          data={papers.map(it => ({ value: it, label: t(`paper.${it}`) }))}
          {...getInputProps('paper')}
        />
      </div>
      <Textarea label={t('settings.text')} autosize minRows={2} {...getInputProps('text')} />
      <Switch label={t('settings.logo')} {...getInputProps('logo', { type: 'checkbox' })} />
    </FormModal>
  );
}
