import { redeemVoucher } from '#features/vouchers/public.ts';
import { inputError, type Method } from './method.ts';

/** One code per guest, from a printed voucher. */
export const voucher: Method<'voucher'> = {
  // A guess does not aim at one account, so only the device and the network are throttled.
  target: () => null,
  recorded: () => ({}),
  async prove({ app, request, form }) {
    if (!form.voucher) return inputError('missing', 'voucher');
    const { tenantId, location_id: locationId, device_id: deviceId } = request.context;
    const redeemed = await app.db.withTenant(tenantId, tx =>
      redeemVoucher(tx, app.secrets, { typed: form.voucher, locationId, deviceId }),
    );
    if (redeemed === 'unknown') return { problem: 'wrong_voucher', fields: ['voucher'] };
    if (redeemed === 'over') return { problem: 'voucher_over', fields: ['voucher'], notAGuess: true };
    return redeemed;
  },
};
