import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';

interface Props {
  readonly label: string;
  /** The file is being made. */
  readonly loading: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** Downloads what a list shows as a file. */
export const FileButton = ({ label, ...button }: Props) => (
  <Button variant="default" leftSection={<IconDownload size={16} />} {...button}>
    {label}
  </Button>
);
