import { Button } from '@mantine/core';
import { IconPhotoUp, IconTrash } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUploadPicture } from '#features/tenants/tenants.api.ts';
import classes from '#features/tenants/tenants.module.css';

interface Props {
  label: string;
  help: string;
  src: string | null;
  onChange: (src: string | null) => void;
  error?: ReactNode;
  readOnly: boolean;
  /** Whether the picture fills its frame instead of fitting into it. */
  wide?: boolean;
}

const largest = 2 * 1024 * 1024;

/** A picture that uploads as soon as it is chosen or dropped, and takes effect when the form is saved. */
export function PictureField({ label, help, src, onChange, error, readOnly, wide = false }: Props) {
  const { t } = useTranslation('tenants');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [tooLarge, setTooLarge] = useState(false);
  const upload = useUploadPicture();
  const take = (file: File | undefined) => {
    if (!file || readOnly) return;
    setTooLarge(file.size > largest);
    if (file.size <= largest) upload.mutate(file, { onSuccess: onChange });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  const problem = tooLarge ? t('pictureTooLarge') : error;
  return (
    // biome-ignore lint: dropping is optional; the button below is accessible.
    <div
      className={classes.picture}
      data-over={over || undefined}
      onDragOver={event => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label htmlFor={id}>{label}</label>
      <div className={classes.pictureRow}>
        <div className={classes.frame} data-wide={wide || undefined}>
          {src ? <img src={src} alt={label} /> : <IconPhotoUp size={22} stroke={1.5} aria-hidden />}
        </div>
        <div className={classes.pictureWords}>
          <p id={`${id}-help`}>{help}</p>
          <div className={classes.buttons}>
            <Button
              variant="default"
              size="xs"
              loading={upload.isPending}
              disabled={readOnly}
              onClick={() => input.current?.click()}
            >
              {t(src ? 'replace' : 'upload')}
            </Button>
            {src && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconTrash size={14} />}
                disabled={readOnly || upload.isPending}
                onClick={() => onChange(null)}
              >
                {t('remove')}
              </Button>
            )}
          </div>
          {problem && (
            <p className={classes.problem} role="alert">
              {problem}
            </p>
          )}
        </div>
      </div>
      <input
        ref={input}
        id={id}
        type="file"
        className="quietly"
        tabIndex={-1}
        accept="image/png,image/jpeg,image/webp,image/svg+xml"
        aria-describedby={`${id}-help`}
        disabled={readOnly}
        onChange={event => {
          take(event.currentTarget.files?.[0]);
          // The same file may be chosen again after a failure.
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
