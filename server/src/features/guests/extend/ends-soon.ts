import type { OnlineRow } from '../online/online.queries.ts';

/** From then on a guest without a voucher may go on with one. Earlier the rest of the access would be lost. */
const soonSeconds = 15 * 60;
const soonBytes = 50_000_000;
export const endsSoon = ({ seconds_left: seconds, bytes_left: bytes }: OnlineRow): boolean =>
  (seconds !== null && seconds <= soonSeconds) || (bytes !== null && bytes <= soonBytes);
