import { randomInt, timingSafeEqual } from 'node:crypto';
import type { CodeStep } from '@portico/contract/guests.ts';
import type { Tx } from '#db/tenant.ts';
import { countSms } from '#features/locations/public.ts';
import { notify } from '#features/notifications/public.ts';
import { hidden } from '#features/sessions/public.ts';
import { insertGuest } from '#features/visitors/public.ts';
import { AppError } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import { codeText } from '#sms/code-text.ts';
import { countMessages, insertMessage } from '#sms/sms.queries.ts';
import { pageLink } from '../../guest-views.ts';
import { findByPhone } from '../guest-visitors.queries.ts';
import { codeField } from '../method-fields.ts';
import { maskNumber } from './masks.ts';
import { type Attempt, type Method, type Proof, slip } from './method.ts';
import { type CodeOf, codeWaits, dropCode, lockGuest, putCode, tryCode } from './sms-codes.queries.ts';
import { latinDigits, phoneOf } from './typed.ts';

type Try = Attempt<'sms'>;

const codeSeconds = 300;
const pauseSeconds = 60;
const mostTries = 5;
/** Messages an hour. A venue's guests share one public address. */
const most = { phone: 5, device: 5, address: 300 } as const;

export const sms: Method<'sms'> = {
  target: (form, so) => so['phone'] ?? phoneOf(form.phone) ?? '',
  shown: (form, so) => ({
    phone: maskNumber(so['phone'] ?? phoneOf(form.phone) ?? latinDigits(form.phone)),
    ...(form.code !== undefined && { code: hidden }),
  }),
  async prove(attempt) {
    const { app, at, form } = attempt;
    const phone = at.state.so?.['phone'];
    if (phone) return form.code === undefined ? send(attempt, phone) : compare(attempt, phone, form.code);
    if (!form.phone) return slip('missing', 'phone');
    const typed = phoneOf(form.phone);
    const { SMS_PREFIXES: prefixes } = app.settings;
    if (!typed || (prefixes.length && !prefixes.some(prefix => typed.startsWith(prefix)))) {
      return slip('bad_phone', 'phone');
    }
    return send(attempt, typed);
  },
};

const stepOf = ({ at, frame }: Try, phone: string): CodeStep => {
  const { so: _, nas, ...arrival } = at.state;
  const back = pageLink(`/w/${nas}`, arrival, `lang=${frame.language}`);
  return { slug: 'sms', phone: maskNumber(phone), field: codeField, back };
};

const codeOf = ({ app, at }: Try, phone: string): CodeOf => ({
  locationId: at.door.location_id,
  phoneHash: app.secrets.index(`phone ${phone}`),
  mac: at.state.mac,
});

const hashOf = ({ app, at }: Try, phone: string, code: string): Buffer =>
  app.secrets.index(`sms code ${at.door.location_id} ${at.state.mac} ${phone} ${code}`);

/** Sends a code, within the limits of the number, the device, the public address and the location. */
async function send(attempt: Try, phone: string): Promise<Proof> {
  const { app, at, form, frame, options, address } = attempt;
  const of = codeOf(attempt, phone);
  const step = {
    code: stepOf(attempt, phone),
    so: { email: options.collect_email ? form.email.toLowerCase() : '', agree: form.agree, ...at.state.so, phone },
  };
  return app.db.withTenant(at.door.tenantId, async tx => {
    // All that is counted here: two that come at once must not both be the last.
    await lockGuest(tx, phone, `sms ${of.mac}`, `sms ${address}`);
    const sent = await countMessages(tx, { ...of, address });
    if (sent.since !== null && sent.since < pauseSeconds) {
      const values = { seconds: pauseSeconds - sent.since };
      const waits = at.state.so !== undefined || (await codeWaits(tx, of));
      return { problem: 'sms_pause', values, slip: true, ...(waits && step) };
    }
    if (sent.phone >= most.phone || sent.device >= most.device || sent.address >= most.address) {
      throw new AppError('too_many', { values: { seconds: 3600 } });
    }
    if (!(await takeOne(tx, of.locationId))) return { problem: 'sms_over', honest: true };
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const text = codeText(frame.language, { place: at.door.location_name, code });
    const data = app.secrets.encrypt(JSON.stringify({ to: phone, text }));
    await insertMessage(tx, { id: newId(), ...of, address, data });
    await putCode(tx, of, { hash: hashOf(attempt, phone, code), seconds: codeSeconds });
    return step;
  });
}

/** Counts a message against the location's limit, and tells its administrators at 80 % and at the end. */
async function takeOne(tx: Tx, locationId: string): Promise<boolean> {
  const now = await countSms(tx, locationId);
  if (!now) return false;
  for (const percent of [80, 100]) {
    const mark = Math.ceil((now.most * percent) / 100);
    if (now.used !== mark) continue;
    await notify(tx, {
      to: { location: locationId, permission: 'update-location' },
      kind: 'sms_limit',
      data: { location: now.name, percent, used: now.used, limit: now.most },
      locationId,
      once: `sms_limit:${locationId}:${percent}:${now.most}`,
    });
  }
  return true;
}

async function compare(attempt: Try, phone: string, typed: string): Promise<Proof> {
  const { app, at } = attempt;
  const of = codeOf(attempt, phone);
  const code = stepOf(attempt, phone);
  const digits = latinDigits(typed).replace(/\D/g, '');
  if (!digits) return { ...slip('missing', 'code'), code };
  return app.db.withTenant(at.door.tenantId, async (tx): Promise<Proof> => {
    await lockGuest(tx, phone);
    const waiting = await tryCode(tx, of, mostTries);
    if (!waiting) return { problem: 'code_over', fields: ['code'], code };
    if (!timingSafeEqual(waiting.hash, hashOf(attempt, phone, digits))) {
      return { problem: 'wrong_code', fields: ['code'], code };
    }
    await dropCode(tx, of);
    const known = await findByPhone(tx, of.locationId, phone);
    if (known) return { visitorId: known.id };
    const id = newId();
    const { locationId } = of;
    await insertGuest(tx, id, { locationId, deviceId: at.door.device_id, provider: 'sms', name: phone, phone });
    return { visitorId: id };
  });
}
