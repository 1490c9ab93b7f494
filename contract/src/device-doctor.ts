import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idParams, time } from './fields.ts';

export const doctorChecks = [
  'secret',
  'sign_in',
  'accounting',
  'coa',
  'clock',
  'garden',
  'login_page',
  'login_host',
  'script',
  'controller',
] as const;

/** Why a check failed. The screens say what to do about it. */
export const doctorReasons = [
  'ok',
  'none',
  'wrong',
  'stopped',
  'silent',
  'refused',
  'skewed',
  'old',
  'unused',
  'unreachable',
  'login',
  'certificate',
  'not_admitted',
] as const;

/**
 * One check between a router and the server. `unknown`: nothing has happened yet. `running`: the router has not answered yet.
 * `at`: when it last worked. `seconds`: the error of the clock. `address`: the source of a packet with a wrong secret, or the
 * host of a sign-in page that is new for the device. Guests are not sent to that host until an operator accepts it.
 * `words`: the message of the controller, or of the failed connection to it.
 */
export const doctorCheck = z.object({
  name: z.enum(doctorChecks),
  state: z.enum(['ok', 'failed', 'unknown', 'running']),
  reason: z.enum(doctorReasons),
  at: time.nullable(),
  seconds: z.number().nullable(),
  address: z.string().nullable(),
  words: z.string().nullable(),
});
export type DoctorCheck = z.output<typeof doctorCheck>;

export const deviceDoctorApi = {
  examine: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/doctor',
    access: 'update-devices',
    summary:
      'Check the connection to a device: what it sent last, a CoA request for an unknown session, and a sign-in to its controller. The answers follow in `progress`',
    params: idParams,
    reply: z.object({ data: z.array(doctorCheck) }),
    status: 200,
  }),
  progress: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/doctor',
    access: 'update-devices',
    summary: 'The checks of a device, with the answers to what `examine` asked once they have arrived',
    params: idParams,
    reply: z.object({ data: z.array(doctorCheck) }),
  }),
  acceptHost: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/login-hosts',
    access: 'update-devices',
    summary: 'Accept a host as a sign-in page of the device: guests may be sent there',
    params: idParams,
    body: z.object({ host: z.string().trim().toLowerCase().min(1).max(253) }),
    reply: 'none',
  }),
} as const;
