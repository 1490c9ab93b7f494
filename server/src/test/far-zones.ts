/**
 * Two time zones in which it is never the same day. In neither of them a day ends within half an hour, so none ends during a test.
 * The panel offers all of them.
 */
export function farZones(now = new Date()): { readonly ahead: string; readonly behind: string } {
  const hour = now.getUTCHours() + now.getUTCMinutes() / 60;
  return {
    // Days on Kiritimati end at 10:00 UTC.
    ahead: hour >= 9 && hour < 10.5 ? 'Pacific/Tongatapu' : 'Pacific/Kiritimati',
    // Days in Pago Pago end at 11:00 UTC.
    behind: hour >= 10.5 && hour < 11.5 ? 'Pacific/Honolulu' : 'Pacific/Pago_Pago',
  };
}
