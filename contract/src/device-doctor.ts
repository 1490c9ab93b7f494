import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idParams, time } from './fields.ts';

export const doctorChecks = ['secret', 'sign_in', 'accounting', 'coa', 'clock', 'garden', 'login_page'] as const;

/** Why a check failed: what to do about it is told by the screens, in their language. */
export const doctorReasons = ['ok', 'none', 'wrong', 'stopped', 'silent', 'refused', 'skewed', 'old'] as const;

/**
 * One thing that must work between a router and us. `unknown`: it has not happened yet, so nothing can be said. `at`: when it
 * was last seen; `seconds`: how far its clock is off; `address`: where a packet came from that its secret does not fit.
 */
export const doctorCheck = z.object({
  name: z.enum(doctorChecks),
  state: z.enum(['ok', 'failed', 'unknown']),
  reason: z.enum(doctorReasons),
  at: time.nullable(),
  seconds: z.number().nullable(),
  address: z.string().nullable(),
});
export type DoctorCheck = z.output<typeof doctorCheck>;

export const deviceDoctorApi = {
  examine: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/doctor',
    access: 'update-devices',
    summary:
      'What works between a device and us: by what it last sent, and by asking it for a session that is none (CoA)',
    params: idParams,
    reply: z.object({ data: z.array(doctorCheck) }),
    status: 200,
  }),
} as const;
