import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { calendarDay, mac, moment, phone } from './fields.ts';
import { networkForm } from './networks.ts';
import { fieldErrors } from './validation.ts';

const messages = (form: z.ZodType, value: unknown) =>
  fieldErrors(form.safeParse(value, { reportInput: true }).error?.issues ?? [], 'en');
const missing = ['This field is required.'];

describe('an empty box', () => {
  it('says that it is required, not that its value is wrong', () => {
    expect(messages(networkForm, { name: '', start_ip: '', subnet: '' })).toEqual({
      ...{ name: missing, start_ip: missing, subnet: missing },
    });
    const form = z.object({ at: moment, day: calendarDay, mac, phone });
    expect(messages(form, { at: '', day: '', mac: '', phone: '' })).toEqual({
      ...{ at: missing, day: missing, mac: missing, phone: missing },
    });
  });

  it('differs from a wrong value', () => {
    expect(messages(networkForm, { name: 'Guests', start_ip: '300.1.1.1', subnet: 'x' })).toEqual({
      start_ip: ['Enter an IPv4 or IPv6 address.'],
      subnet: ['Enter a mask such as 24, /24 or 255.255.255.0.'],
    });
  });
});
