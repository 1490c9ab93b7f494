import type { ImageCollection } from '@portico/contract/portals.ts';
import type { ReactNode } from 'react';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { useUploadPicture } from '#features/portals/portals.api.ts';
import { PictureField as Field } from '#ui/picture-field.tsx';

interface Props {
  label: string;
  description: string;
  collection: ImageCollection;
  /** Whether the picture is made for a dark ground. */
  dark?: boolean;
  value?: string | null;
  onChange?: (url: string | null) => void;
  error?: ReactNode;
}

/** A picture of the portal. It is uploaded at once; the form holds its address. */
export function PictureField({ collection, value, onChange, ...rest }: Props) {
  const { portal, readOnly } = useEditor();
  const upload = useUploadPicture(portal.id, collection);
  return (
    <Field
      {...rest}
      src={value}
      pending={upload.isPending}
      onTake={file => upload.mutate(file, { onSuccess: url => onChange?.(url) })}
      onRemove={() => onChange?.(null)}
      readOnly={readOnly}
      wide={collection === 'background'}
    />
  );
}
