import { Button } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#ui/csv-import.module.css';

interface Props {
  file: File | undefined;
  disabled?: boolean;
  pending: boolean;
  /** The maximum size and number of lines. */
  limits: string;
  /** The text in the field, and the files that the dialog offers. Default: a CSV file. */
  drop?: string;
  accept?: string;
  onFile: (file: File | undefined) => void;
}

/** A drop zone and button for a CSV file. */
export function CsvFileField({ file, disabled = false, pending, limits, drop, accept, onFile }: Props) {
  const { t } = useTranslation('csv-import');
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drag = (inside: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(inside && !disabled);
  };
  return (
    // biome-ignore lint: dropping is optional; the button below is accessible.
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={event => {
        drag(false)(event);
        if (!disabled) onFile(event.dataTransfer.files[0]);
      }}
    >
      <IconFileSpreadsheet size={26} stroke={1.5} aria-hidden />
      <p>
        <strong>{file?.name ?? drop ?? t('drop')}</strong>
        <span>{limits}</span>
      </p>
      <Button
        variant={file ? 'default' : 'filled'}
        loading={pending}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {file ? t('other') : t('choose')}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept ?? '.csv,.txt,text/csv'}
        hidden
        aria-label={t('choose')}
        onChange={event => {
          onFile(event.currentTarget.files?.[0]);
          // Allows choosing the same file again after correcting it.
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
