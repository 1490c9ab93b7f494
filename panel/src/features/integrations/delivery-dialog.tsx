import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '#features/integrations/integrations.module.css';
import modal from '#ui/modal.module.css';

interface Props {
  title: string;
  /** The JSON that was sent. */
  body: string;
  onClose: () => void;
}

/** The payload of a webhook delivery. */
export function DeliveryDialog({ title, body, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={640}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={modal}
    >
      <pre className={classes.body}>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
    </Modal>
  );
}
