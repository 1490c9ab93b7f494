export { redeemVoucher } from './redeem.service.ts';
