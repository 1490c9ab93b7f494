import { Button } from '@mantine/core';
import type { ImageCollection } from '@portico/contract/portals.ts';
import { IconPhotoUp, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor-context.ts';
import classes from '#features/portals/fields.module.css';
import { useUploadPicture } from '#features/portals/portals.api.ts';

interface Props {
  label: string;
  description: string;
  collection: ImageCollection;
  value?: string | null;
  onChange?: (url: string | null) => void;
  error?: ReactNode;
}

export const pictureTypes = 'image/png,image/jpeg,image/webp,image/svg+xml';

/** A picture to upload, by a button or by dropping a file. It is kept at once; the form keeps its address. */
export function PictureField({ label, description, collection, value, onChange, error }: Props) {
  const { t } = useTranslation('portal-editor');
  const { portal, readOnly } = useEditor();
  const upload = useUploadPicture(portal.id, collection);
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const labelId = useId();
  const helpId = useId();
  const take = (file: File | undefined) => {
    if (file && !readOnly) upload.mutate(file, { onSuccess: url => onChange?.(url) });
  };
  return (
    <div role="group" aria-labelledby={labelId} aria-describedby={helpId}>
      <span id={labelId} className={classes.label}>
        {label}
      </span>
      <div
        className={classes.picture}
        data-over={over || undefined}
        onDragOver={event => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={event => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files[0]);
        }}
      >
        {value && <img src={value} alt={label} data-kind={collection} />}
        <div className={classes.pictureButtons}>
          <Button
            variant="default"
            loading={upload.isPending}
            leftSection={<IconPhotoUp size={16} />}
            onClick={() => input.current?.click()}
            aria-invalid={error ? true : undefined}
          >
            {t(value ? 'picture.replace' : 'picture.upload')}
          </Button>
          {value && (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconTrash size={16} />}
              onClick={() => onChange?.(null)}
            >
              {t('picture.remove')}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept={pictureTypes}
          hidden
          onChange={event => {
            take(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      <p id={helpId} className={classes.help}>
        {description}
      </p>
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
