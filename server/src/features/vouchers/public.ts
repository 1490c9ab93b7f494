export { type Redeemed, redeemVoucher } from './redeem.service.ts';
