import type { PortalView } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { wording } from '@portico/contract/portal-messages.ts';
import { ClockIcon } from './icons.tsx';

export function OpeningHours({ portal, language }: { portal: PortalView | null; language: PortalLanguage }) {
  const hours = wording(portal?.messages ?? {}, 'opening_hours', language);
  if (!hours) return null;
  return (
    <p className="written hours">
      <ClockIcon />
      <bdi>{hours}</bdi>
    </p>
  );
}
