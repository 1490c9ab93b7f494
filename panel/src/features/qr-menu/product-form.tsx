import { MultiSelect, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { type Product, productForm } from '@portico/contract/qr-menu.ts';
import { currencies } from '@portico/contract/units.ts';
import { useTranslation } from 'react-i18next';
import { productValues } from '#features/qr-menu/product-values.ts';
import { useCategoryChoices, usePicture, useSaveProduct } from '#features/qr-menu/qr-menu.api.ts';
import classes from '#features/qr-menu/qr-menu.module.css';
import { TagField } from '#features/qr-menu/tag-field.tsx';
import { usePicturePreview } from '#features/qr-menu/use-picture-preview.ts';
import { ShownSwitch } from '#features/qr-menu/visibility-status.tsx';
import { language } from '#lib/language.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LocationField } from '#ui/location-field.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { PictureField } from '#ui/picture-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  product: Product | undefined;
  /** The currency of a new product: that of the others. */
  usual: Product['currency'] | undefined;
  onClose: () => void;
}

/** An optional number: an empty field holds an empty string. */
const orNull = (value: unknown) => (value === '' ? null : value);

export function ProductForm({ product, usual, onClose }: Props) {
  const { t } = useTranslation(['qr-menu', 'common']);
  const working = useWorkingLocation();
  const save = useSaveProduct(product);
  const { upload, remove } = usePicture();
  const { file, src, take, clear } = usePicturePreview(product?.image ?? null);
  const form = useContractForm({
    schema: async () => productForm,
    initial: { ...productValues(product, usual), location_id: product?.location_id ?? working },
    toInput: values => ({
      ...values,
      product_time: orNull(values.product_time),
      calorie: orNull(values.calorie),
      price: orNull(values.price),
    }),
    submit: async values => {
      const { data } = await save.mutateAsync(values);
      // The product exists from here on, so a failed upload can be retried on it.
      if (file) await upload.mutateAsync({ id: data.id, file }).catch(() => undefined);
      else if (!src && product?.image) await remove.mutateAsync({ id: product.id }).catch(() => undefined);
      onClose();
    },
  });
  const { values, getInputProps, setFieldValue } = form.form;
  const categories = useCategoryChoices(values.location_id);
  const location = getInputProps('location_id');
  return (
    <FormModal
      title={t(product ? 'product.edit' : 'product.add')}
      form={form}
      size={760}
      pending={save.isPending || upload.isPending || remove.isPending}
      onClose={onClose}
    >
      {!product && (
        <LocationField
          {...location}
          onChange={id => {
            location.onChange(id);
            // The categories belong to the previous location.
            setFieldValue('category_ids', []);
          }}
        />
      )}
      <div className={layout.two}>
        <TextInput label={t('nameTr')} withAsterisk data-autofocus {...getInputProps('title')} />
        <TextInput label={t('nameEn')} lang="en" {...getInputProps('title_en')} />
      </div>
      <div className={layout.two}>
        <MultiSelect
          label={t('categories')}
          data={categories.map(({ id, title }) => ({ value: id, label: title }))}
          placeholder={values.category_ids.length === 0 ? t('noCategory') : ''}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('common:clear') }}
          {...getInputProps('category_ids')}
        />
        <div className={layout.two}>
          <NumberInput
            label={t('price')}
            min={0}
            decimalScale={2}
            decimalSeparator={language() === 'tr' ? ',' : '.'}
            allowedDecimalSeparators={['.', ',']}
            {...getInputProps('price')}
          />
          <Select
            label={t('currency')}
            data={currencies.map(currency => ({ value: currency, label: currency.toUpperCase() }))}
            allowDeselect={false}
            {...getInputProps('currency')}
          />
        </div>
        <NumberField label={t('timeMinutes')} {...getInputProps('product_time')} />
        <NumberField label={t('calorieKcal')} {...getInputProps('calorie')} />
      </div>
      <PictureField
        label={t('picture')}
        description={t('pictureHelp')}
        src={src}
        pending={upload.isPending}
        onTake={take}
        onRemove={clear}
      />
      <ShownSwitch {...getInputProps('status')} />
      <fieldset className={classes.part}>
        <legend>{t('texts')}</legend>
        <div className={layout.two}>
          <Textarea label={t('shortTr')} autosize minRows={2} maxRows={6} {...getInputProps('description')} />
          <Textarea
            label={t('shortEn')}
            lang="en"
            autosize
            minRows={2}
            maxRows={6}
            {...getInputProps('description_en')}
          />
          <Textarea label={t('longTr')} autosize minRows={3} maxRows={10} {...getInputProps('description_long')} />
          <Textarea
            label={t('longEn')}
            lang="en"
            autosize
            minRows={3}
            maxRows={10}
            {...getInputProps('description_long_en')}
          />
        </div>
      </fieldset>
      <fieldset className={classes.part}>
        <legend>{t('contents')}</legend>
        <div className={layout.two}>
          <TagField label={t('ingredientsTr')} {...getInputProps('ingredients')} />
          <TagField label={t('ingredientsEn')} {...getInputProps('ingredients_en')} />
          <TagField label={t('allergensTr')} {...getInputProps('allergens')} />
          <TagField label={t('allergensEn')} {...getInputProps('allergens_en')} />
        </div>
        <p className={classes.hint}>{t('wordsHelp')}</p>
      </fieldset>
    </FormModal>
  );
}
