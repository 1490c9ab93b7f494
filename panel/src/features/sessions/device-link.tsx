import type { OnlineSession } from '@portico/contract/sessions.ts';
import { Link } from '@tanstack/react-router';
import { useCan } from '#lib/permissions.ts';

/** The device of a session, linked for users who may see devices. */
export function DeviceLink({ session }: { session: OnlineSession }) {
  const { device, device_name } = session;
  if (!useCan()('view-devices')) return device_name;
  return (
    <Link to="/devices/$deviceId" params={{ deviceId: device.id }}>
      {device_name}
    </Link>
  );
}
