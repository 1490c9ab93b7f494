export { addVoucher, redeemVoucher } from './redeem.service.ts';
