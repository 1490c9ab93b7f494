import { Textarea, TextInput } from '@mantine/core';
import { type Category, categoryForm } from '@portico/contract/qr-menu.ts';
import { useTranslation } from 'react-i18next';
import { useSaveCategory } from '#features/qr-menu/qr-menu.api.ts';
import { ShownSwitch } from '#features/qr-menu/visibility-status.tsx';
import { useWorkingLocation } from '#lib/working-location.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LocationField } from '#ui/location-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  category: Category | undefined;
  onClose: () => void;
}

export function CategoryForm({ category, onClose }: Props) {
  const { t } = useTranslation('qr-menu');
  const working = useWorkingLocation();
  const save = useSaveCategory(category);
  const form = useContractForm({
    schema: async () => categoryForm,
    initial: {
      location_id: category?.location_id ?? working,
      title: category?.title ?? '',
      title_en: category?.title_en ?? '',
      description: category?.description ?? '',
      description_en: category?.description_en ?? '',
      status: category?.status ?? (1 as 0 | 1),
    },
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormModal
      title={t(category ? 'category.edit' : 'category.add')}
      form={form}
      size={680}
      pending={save.isPending}
      onClose={onClose}
    >
      {!category && <LocationField {...getInputProps('location_id')} />}
      <div className={layout.two}>
        <TextInput label={t('nameTr')} withAsterisk data-autofocus {...getInputProps('title')} />
        <TextInput label={t('nameEn')} lang="en" {...getInputProps('title_en')} />
        <Textarea label={t('descriptionTr')} autosize minRows={3} maxRows={8} {...getInputProps('description')} />
        <Textarea
          label={t('descriptionEn')}
          lang="en"
          autosize
          minRows={3}
          maxRows={8}
          {...getInputProps('description_en')}
        />
      </div>
      <ShownSwitch {...getInputProps('status')} />
    </FormModal>
  );
}
