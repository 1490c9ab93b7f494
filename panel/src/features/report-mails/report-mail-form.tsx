import { Checkbox, NativeSelect, Switch, TagsInput, TextInput } from '@mantine/core';
import {
  type MailedReport,
  mailedReports,
  mailFrequencies,
  type ReportMail,
  reportMailForm,
} from '@portico/contract/report-mails.ts';
import { useTranslation } from 'react-i18next';
import { useSaveReportMail } from '#features/report-mails/report-mails.api.ts';
import { language } from '#lib/language.ts';
import { useCan } from '#lib/permissions.ts';
import { useUser } from '#lib/user.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LocationField } from '#ui/location-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Values extends Record<string, unknown> {
  location_id: string | null;
  name: string;
  frequency: 'weekly' | 'monthly';
  reports: MailedReport[];
  recipients: string[];
  language: 'tr' | 'en';
  is_active: boolean;
}

export function ReportMailForm({ mail, onClose }: { mail: ReportMail | undefined; onClose: () => void }) {
  const { t } = useTranslation(['report-mails', 'common']);
  const { email } = useUser();
  const names = useCan()('view-clients');
  const here = useWorkingLocation();
  const save = useSaveReportMail(mail);
  const initial: Values = mail
    ? {
        ...{ location_id: mail.location_id, name: mail.name, frequency: mail.frequency, reports: mail.reports },
        ...{ recipients: mail.recipients, language: mail.language, is_active: mail.is_active },
      }
    : {
        ...{ location_id: here, name: '', frequency: 'weekly', reports: ['visits'], recipients: [email] },
        ...{ language: language(), is_active: true },
      };
  const form = useContractForm({
    schema: async () => reportMailForm,
    initial,
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { getInputProps, errors } = form.form;
  // An error of one address is shown below the list.
  const wrong = Object.entries(errors).find(([key]) => key.startsWith('recipients'))?.[1];
  return (
    <FormModal title={t(mail ? 'edit' : 'add')} form={form} pending={save.isPending} onClose={onClose}>
      {!mail && <LocationField {...getInputProps('location_id')} />}
      <TextInput label={t('name')} withAsterisk data-autofocus autoComplete="off" {...getInputProps('name')} />
      <div className={layout.two}>
        <NativeSelect
          label={t('frequency')}
          data={mailFrequencies.map(value => ({ value, label: t(`every.${value}`) }))}
          {...getInputProps('frequency')}
        />
        <NativeSelect
          label={t('language')}
          data={[
            { value: 'tr', label: 'Türkçe' },
            { value: 'en', label: 'English' },
          ]}
          {...getInputProps('language')}
        />
      </div>
      <Checkbox.Group
        label={t('reports')}
        description={t(names ? 'withNames' : 'withoutNames')}
        withAsterisk
        {...getInputProps('reports')}
      >
        <div className={layout.fields} style={{ gap: 8, marginTop: 8 }}>
          {mailedReports.map(report => (
            <Checkbox key={report} value={report} label={t(`report.${report}`)} />
          ))}
        </div>
      </Checkbox.Group>
      <TagsInput
        label={t('recipients')}
        description={t('recipientsHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        withAsterisk
        maxTags={20}
        splitChars={[',', ';', ' ', '\n']}
        acceptValueOnBlur
        clearable
        clearButtonProps={{ 'aria-label': t('common:clear') }}
        {...getInputProps('recipients')}
        error={wrong}
      />
      {mail && <Switch label={t('active')} {...getInputProps('is_active', { type: 'checkbox' })} />}
    </FormModal>
  );
}
