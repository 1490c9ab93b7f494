import type { OnlineSession } from '@portico/contract/sessions.ts';
import { Link } from '@tanstack/react-router';
import { useCan } from '#lib/permissions.ts';

/** The router that a session runs over, which leads to its screen for those who may see it. */
export function RouterLink({ session }: { session: OnlineSession }) {
  const { device, device_name } = session;
  if (!useCan()('view-devices')) return device_name;
  return (
    <Link to="/devices/$deviceId" params={{ deviceId: device.id }}>
      {device_name}
    </Link>
  );
}
