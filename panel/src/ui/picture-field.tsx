import { Button } from '@mantine/core';
import { IconPhotoUp, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#ui/picture-field.module.css';

export const pictureTypes = 'image/png,image/jpeg,image/webp,image/svg+xml';

interface Props {
  label: string;
  description: string;
  /** The URL of the current picture. */
  src: string | null | undefined;
  pending: boolean;
  onTake: (file: File) => void;
  onRemove: () => void;
  readOnly?: boolean;
  /** Whether the picture fills its frame instead of fitting into it. */
  wide?: boolean;
  /** Whether the picture is made for a dark ground. */
  dark?: boolean;
  error?: ReactNode;
}

/** A picture to upload with a button or by dropping a file. */
export function PictureField({
  label,
  description,
  src,
  pending,
  onTake,
  onRemove,
  readOnly,
  wide,
  dark,
  error,
}: Props) {
  const { t } = useTranslation('picture-field');
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const labelId = useId();
  const helpId = useId();
  const take = (file: File | undefined) => {
    if (file && !readOnly) onTake(file);
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
        {src && <img src={src} alt={label} data-wide={wide || undefined} data-dark={dark || undefined} />}
        <div className={classes.pictureButtons}>
          <Button
            variant="default"
            loading={pending}
            disabled={readOnly ?? false}
            leftSection={<IconPhotoUp size={16} />}
            onClick={() => input.current?.click()}
            aria-invalid={error ? true : undefined}
          >
            {t(src ? 'replace' : 'upload')}
          </Button>
          {src && !readOnly && (
            <Button variant="subtle" color="gray" leftSection={<IconTrash size={16} />} onClick={onRemove}>
              {t('remove')}
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
            // The same file may be chosen again after a failure.
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
