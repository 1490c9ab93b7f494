export { addVoucher, redeemVoucher } from './redeem.service.ts';
export { findBatches } from './vouchers.queries.ts';
export { cardsToPrint } from './vouchers.service.ts';
