export { addVoucher, redeemVoucher } from './redeem.service.ts';
export { cardsToPrint } from './vouchers.service.ts';
