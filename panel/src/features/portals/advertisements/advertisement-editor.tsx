import { ActionIcon, Button, MultiSelect, Textarea, TextInput } from '@mantine/core';
import type { Advertisement } from '@portico/contract/advertisements.ts';
import { IconPhotoUp, IconVideo, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/portals/advertisements/advertisements.module.css';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { ChoiceField } from '#features/portals/fields/choice-field.tsx';
import fields from '#features/portals/fields/fields.module.css';
import { languagesOf, nameIn } from '#features/portals/fields/portal-languages.ts';
import { useSaveAdvertisement } from '#features/portals/items/portal-items.api.ts';
import { weekdayName, weekdays } from '#features/portals/items/weekdays.ts';
import { useUploadPicture, useUploadVideo } from '#features/portals/portals.api.ts';
import { DateField } from '#ui/date-field.tsx';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { pictureTypes } from '#ui/picture-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  portalId: string;
  ad?: Advertisement;
  onClose: () => void;
}

export function AdvertisementEditor({ portalId, ad, onClose }: Props) {
  const { t } = useTranslation('portal-editor');
  const own = useEditor().portal.page.own_languages;
  const save = useSaveAdvertisement();
  const initial = {
    name: ad?.name ?? '',
    type: (ad?.type ?? 'image') as Advertisement['type'],
    images: ad?.images ?? [],
    embed_code: ad?.embed_code ?? '',
    video: ad?.video ?? '',
    seconds: ad?.seconds ?? '',
    link: ad?.link ?? '',
    starts_on: ad?.starts_on ?? '',
    ends_on: ad?.ends_on ?? '',
    weekdays: ad?.weekdays?.map(String) ?? [],
    languages: ad?.languages ?? [],
    weight: ad?.weight ?? 1,
    daily_cap: ad?.daily_cap ?? '',
  };
  const form = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).advertisementForm,
    initial,
    // An empty choice means all.
    toInput: ({ weekdays, languages, link, video, seconds, images, ...values }) => ({
      ...values,
      ...(values.type === 'video'
        ? { video, seconds, images: images.slice(0, 1) }
        : { video: null, seconds: null, images }),
      link: values.type === 'image' ? link : null,
      weekdays: weekdays.length ? weekdays.map(Number) : null,
      languages: languages.length ? languages : null,
    }),
    submit: async values => {
      await save.mutateAsync({ id: ad?.id, form: values });
      onClose();
    },
  });
  const { values, errors, getInputProps, setFieldValue } = form.form;
  return (
    <FormModal title={t(ad ? 'ad.edit' : 'ad.add')} form={form} pending={save.isPending} onClose={onClose}>
      <TextInput label={t('ad.name')} withAsterisk data-autofocus {...getInputProps('name')} />
      <ChoiceField
        label={t('ad.kind')}
        options={[
          { value: 'image', label: t('ad.type.image') },
          { value: 'video', label: t('ad.type.video') },
          { value: 'embed', label: t('ad.type.embed') },
        ]}
        {...getInputProps('type')}
      />
      {values.type === 'video' && (
        <Video
          portalId={portalId}
          value={values.video}
          poster={values.images[0]}
          onChange={url => setFieldValue('video', url)}
          error={errors['video']}
        />
      )}
      {values.type !== 'embed' ? (
        <Pictures
          isPoster={values.type === 'video'}
          portalId={portalId}
          value={values.images}
          onChange={images => setFieldValue('images', images)}
          error={Object.entries(errors).find(([key]) => key.startsWith('images'))?.[1]}
        />
      ) : (
        <Textarea
          label={t('ad.embedCode')}
          description={t('ad.embedHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          withAsterisk
          autosize
          minRows={4}
          maxRows={12}
          maxLength={20_000}
          spellCheck={false}
          placeholder={'<iframe src="https://…"></iframe>'}
          {...getInputProps('embed_code')}
        />
      )}
      {values.type === 'video' && (
        <NumberField
          label={t('ad.seconds')}
          description={t('ad.secondsHelp')}
          inputWrapperOrder={[...below]}
          placeholder={t('ad.noWait')}
          {...getInputProps('seconds')}
        />
      )}
      {values.type === 'image' && (
        <TextInput
          label={t('ad.link')}
          description={t('ad.linkHelp')}
          inputWrapperOrder={[...below]}
          type="url"
          inputMode="url"
          placeholder="https://www.example.com"
          maxLength={2000}
          {...getInputProps('link')}
        />
      )}
      <div className={layout.two}>
        <DateField type="date" label={t('ad.startsOn')} {...getInputProps('starts_on')} />
        <DateField type="date" label={t('ad.endsOn')} {...getInputProps('ends_on')} />
      </div>
      <p className={fields.help}>{t('ad.daysHelp')}</p>
      <MultiSelect
        label={t('ad.weekdays')}
        placeholder={values.weekdays.length ? undefined : t('ad.everyDay')}
        data={weekdays.map(it => ({ value: String(it), label: weekdayName(it) }))}
        {...getInputProps('weekdays')}
      />
      <MultiSelect
        label={t('ad.languages')}
        placeholder={values.languages.length ? undefined : t('rule.anyLanguage')}
        data={languagesOf(own).map(value => ({ value, label: nameIn(own, value) }))}
        {...getInputProps('languages')}
      />
      <div className={layout.two}>
        <NumberField
          label={t('ad.weight')}
          description={t('ad.weightHelp')}
          inputWrapperOrder={[...below]}
          {...getInputProps('weight')}
        />
        <NumberField
          label={t('ad.cap')}
          description={t('ad.capHelp')}
          inputWrapperOrder={[...below]}
          placeholder={t('ad.noCap')}
          {...getInputProps('daily_cap')}
        />
      </div>
    </FormModal>
  );
}

const below = ['label', 'input', 'description', 'error'] as const;

interface UploadProps {
  label: string;
  help: string;
  error: ReactNode;
  /** The button, and the files that it takes. */
  button: { text: string; icon: ReactNode; loading: boolean; most: number };
  accept: string;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}

/** The uploaded files, with a button for more. */
function Upload({ label, help, error, button, accept, onFiles, children }: UploadProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div role="group" aria-label={label}>
      <span className={fields.label}>{label}</span>
      {children}
      <Button
        variant="default"
        leftSection={button.icon}
        loading={button.loading}
        disabled={button.most === 0}
        aria-invalid={error ? true : undefined}
        onClick={() => input.current?.click()}
      >
        {button.text}
      </Button>
      <p className={fields.help}>{help}</p>
      {error && (
        <p className={fields.error} role="alert">
          {error}
        </p>
      )}
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={button.most > 1}
        hidden
        onChange={event => {
          onFiles([...(event.currentTarget.files ?? [])].slice(0, button.most));
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

interface VideoProps {
  portalId: string;
  value: string;
  poster: string | undefined;
  onChange: (url: string) => void;
  error: ReactNode;
}

function Video({ portalId, value, poster, onChange, error }: VideoProps) {
  const { t } = useTranslation('portal-editor');
  const upload = useUploadVideo(portalId);
  return (
    <Upload
      label={t('ad.video')}
      help={t('ad.videoHelp')}
      error={error}
      button={{
        text: t(value ? 'ad.otherVideo' : 'ad.addVideo'),
        icon: <IconVideo size={16} />,
        loading: upload.isPending,
        most: 1,
      }}
      accept="video/mp4,video/webm"
      onFiles={([file]) => file && upload.mutate(file, { onSuccess: onChange })}
    >
      {value && <video className={classes.video} src={value} poster={poster} muted controls preload="metadata" />}
    </Upload>
  );
}

interface PicturesProps {
  portalId: string;
  isPoster: boolean;
  value: string[];
  onChange: (urls: string[]) => void;
  error: ReactNode;
}

function Pictures({ portalId, isPoster, value, onChange, error }: PicturesProps) {
  const { t } = useTranslation(['portal-editor', 'picture-field']);
  const upload = useUploadPicture(portalId, 'advertisement');
  const take = async (files: readonly File[]) => {
    const urls = [...value];
    for (const file of files) {
      // A toast has reported the refused file; the others are kept.
      const url = await upload.mutateAsync(file).catch(() => undefined);
      if (url) onChange([...urls, url]);
      if (url) urls.push(url);
    }
  };
  return (
    <Upload
      label={t(isPoster ? 'ad.poster' : 'ad.pictureList')}
      help={t(isPoster ? 'ad.posterHelp' : 'ad.pictureHelp')}
      error={error}
      button={{
        text: t(isPoster ? 'ad.addPoster' : 'ad.addPictures'),
        icon: <IconPhotoUp size={16} />,
        loading: upload.isPending,
        most: Math.max(0, (isPoster ? 1 : 20) - value.length),
      }}
      accept={pictureTypes}
      onFiles={files => void take(files)}
    >
      {value.length > 0 && (
        <ul className={classes.pictures}>
          {value.map((url, i) => (
            <li key={url}>
              <img src={url} alt={t('ad.picture', { place: i + 1 })} />
              <ActionIcon
                variant="default"
                size={24}
                aria-label={`${t('picture-field:remove')}: ${t('ad.picture', { place: i + 1 })}`}
                onClick={() => onChange(value.filter(it => it !== url))}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </Upload>
  );
}
