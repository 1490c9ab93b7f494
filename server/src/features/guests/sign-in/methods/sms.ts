import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Tx } from '#db/tenant.ts';
import { tellWebhooks } from '#db/webhook-event.ts';
import { countSms } from '#features/locations/public.ts';
import { notify } from '#features/notifications/public.ts';
import { hidden } from '#features/sessions/public.ts';
import { countOneIn, createLimit, fits, networksOfSite } from '#features/throttle/public.ts';
import { insertGuest } from '#features/visitors/public.ts';
import { AppError } from '#http/app-error.ts';
import { callerNetwork, callerSite } from '#lib/caller-network.ts';
import { newId } from '#lib/ids.ts';
import { captiveOrigin } from '#lib/origins.ts';
import { codeText } from '#sms/code-text.ts';
import { countMessages, dropReplaced, insertMessage } from '#sms/sms.queries.ts';
import type { CodeFacts } from '../../guest-state.ts';
import { productLanguage } from '../../guest-views.ts';
import { findByPhone } from '../guest-visitors.queries.ts';
import { allowedBy } from '../marketing.ts';
import type { SentCode } from '../page-message.ts';
import { maskNumber } from './masks.ts';
import { AlreadyUsed, type Attempt, inputError, type Method, type Proof, type Refused } from './method.ts';
import { phoneOf } from './phone.ts';
import { type CodeKey, codeWaits, dropCode, giveCodeBack, lockGuest, putCode, tryCode } from './sms-codes.queries.ts';
import { latinDigits } from './typed.ts';

type SmsAttempt = Attempt<'sms'>;

const codeSeconds = 300;
/** The guest needs this long at least to type the code, so a message is not sent later. */
const typingSeconds = 20;
const pauseSeconds = 60;
const maxTries = 5;
/** Messages per hour. A venue's guests share one public address. */
// A number may get messages from several tenants.
const toNumber = createLimit('messages to a number', 10, 60);
const maxMessages = { phone: 5, device: 5, address: 300, site: 300 * networksOfSite } as const;

export const sms: Method<'sms'> = {
  target: (form, previous, place) => previous?.phone ?? phoneOf(form.phone, place) ?? '',
  recorded: (form, previous, place) => ({
    phone: previous?.phone ?? phoneOf(form.phone, place) ?? latinDigits(form.phone),
    ...(form.code !== undefined && { code: hidden }),
  }),
  async prove(attempt) {
    const { app, form, previous } = attempt;
    const phone = previous?.phone;
    if (phone) return form.code === undefined ? send(attempt, phone) : compare(attempt, phone, form.code);
    if (!form.phone) return inputError('missing', 'phone');
    const typed = phoneOf(form.phone, attempt.request.context.place);
    const { SMS_PREFIXES: prefixes } = app.settings;
    if (!typed || (prefixes.length && !prefixes.some(prefix => typed.startsWith(prefix)))) {
      return inputError('bad_phone', 'phone');
    }
    return send(attempt, typed);
  },
};

export const stepOf = (phone: string): SentCode => ({ slug: 'sms', phone: maskNumber(phone) });

const codeOf = ({ app, request }: SmsAttempt, phone: string): CodeKey => ({
  locationId: request.context.location_id,
  phoneHash: app.secrets.index(`phone ${phone}`),
  mac: request.visit.mac,
});

const hashOf = ({ app, request }: SmsAttempt, phone: string, code: string): Buffer =>
  app.secrets.index(`sms code ${request.context.location_id} ${request.visit.mac} ${phone} ${code}`);

/** Sends a code, within the limits of the number, the device, the public address and the location. */
async function send(attempt: SmsAttempt, phone: string): Promise<Proof> {
  const { app, request, previous, form, frame, options, address } = attempt;
  const { context } = request;
  const key = codeOf(attempt, phone);
  const next: CodeFacts = previous ?? {
    phone,
    email: options.collect_email ? form.email.toLowerCase() : '',
    agree: form.agree,
    allowed: allowedBy(form, context.portal, frame.language),
  };
  const step = { code: stepOf(phone), next };
  return app.db.withTenant(context.tenantId, async tx => {
    // Serialises everything that is counted here, so that simultaneous requests cannot exceed a limit.
    const places = new Set([callerNetwork(address), callerSite(address) ?? callerNetwork(address)]);
    await lockGuest(tx, phone, `sms ${key.mac}`, ...[...places].map(it => `sms ${it}`));
    const sent = await countMessages(tx, { ...key, address });
    if (sent.since !== null && sent.since < pauseSeconds) {
      const values = { seconds: pauseSeconds - sent.since };
      const waits = previous !== undefined || (await codeWaits(tx, key));
      return { problem: 'sms_pause', values, inputError: true, ...(waits && step) };
    }
    if ((['phone', 'device', 'address', 'site'] as const).some(it => sent[it] >= maxMessages[it])) {
      throw new AppError('too_many', { values: { seconds: 3600 } });
    }
    await countOneIn(tx, app, [[toNumber, phone]]);
    const perTenant = createLimit('messages of a tenant', app.settings.SMS_PER_DAY, 24 * 60);
    const isLeft = await fits(tx, app, [[perTenant, context.tenantId]]);
    if (!isLeft || !(await takeOne(tx, key.locationId))) return { problem: 'sms_over', notAGuess: true };
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const host = new URL(captiveOrigin(app.settings, context.tenant_slug));
    const text = codeText(productLanguage(frame, context), {
      place: context.location_name,
      code,
      host: host.protocol === 'https:' ? host.hostname : null,
    });
    const data = app.secrets.encrypt(JSON.stringify({ to: phone, text }));
    await dropReplaced(tx, key);
    await insertMessage(tx, { id: newId(), ...key, address, data, seconds: codeSeconds - typingSeconds });
    await putCode(tx, key, { hash: hashOf(attempt, phone, code), seconds: codeSeconds });
    return step;
  });
}

/** Counts a message against the location's limit, and notifies its administrators at 80 % and 100 %. */
async function takeOne(tx: Tx, locationId: string): Promise<boolean> {
  const now = await countSms(tx, locationId);
  if (!now) return false;
  for (const percent of [80, 100]) {
    const mark = Math.ceil((now.limit * percent) / 100);
    if (now.used !== mark) continue;
    await tellWebhooks(tx, locationId, 'sms.limit', { percent, used: now.used, limit: now.limit });
    await notify(tx, {
      to: { location: locationId },
      kind: 'sms_limit',
      data: { location: now.name, percent, used: now.used, limit: now.limit },
      locationId,
      once: `sms_limit:${locationId}:${percent}:${now.limit}`,
    });
  }
  return true;
}

async function compare(attempt: SmsAttempt, phone: string, typed: string): Promise<Proof> {
  const { app, request } = attempt;
  const key = codeOf(attempt, phone);
  const code = stepOf(phone);
  const digits = latinDigits(typed).replace(/\D/g, '');
  if (!digits) return { ...inputError('missing', 'code'), code };
  const over: Refused = { problem: 'code_over', fields: ['code'], code };
  return app.db.withTenant(request.context.tenantId, async (tx): Promise<Proof> => {
    await lockGuest(tx, phone);
    const waiting = await tryCode(tx, key, maxTries);
    if (!waiting) return over;
    if (!timingSafeEqual(waiting.hash, hashOf(attempt, phone, digits))) {
      return { problem: 'wrong_code', fields: ['code'], code };
    }
    const use = async (later: Tx) => {
      const used = await dropCode(later, key, waiting.hash);
      if (!used) throw new AlreadyUsed(over);
      return async (after: Tx) => void (await giveCodeBack(after, key, waiting.hash, used));
    };
    const known = await findByPhone(tx, key.locationId, phone);
    if (known) return { visitorId: known.id, use };
    const id = newId();
    const { locationId } = key;
    await insertGuest(tx, id, { locationId, deviceId: request.context.device_id, provider: 'sms', name: phone, phone });
    return { visitorId: id, use };
  });
}
