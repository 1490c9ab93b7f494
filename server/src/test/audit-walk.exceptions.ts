/** The calls that the walk over changes and exports leaves out, each with the reason. */

/** Endpoints other than GET that write no audit entry, with the reason. */
export const unwritten: Record<string, string> = {
  'POST /v1/user/forgot-password': 'mails a code and changes nothing; the new password is audited',
  'POST /v1/panel/user/two-factor': 'proposes a secret; the confirmation is audited',
  'POST /v1/panel/user/passkey/options': 'asks the browser for a passkey; adding it is audited',
  'POST /v1/user/passkey/options': 'asks the browser for a passkey; the sign-in is audited',
  'POST /v1/user/sso': 'sends the browser to the identity provider; the sign-in is audited',
  'POST /v1/panel/user/team/change/:id': 'chooses the caller’s active location',
  'POST /v1/panel/notification/:id/read': 'marks the caller’s own notifications',
  'POST /v1/panel/notification/read-all': 'marks the caller’s own notifications',
  'POST /v1/panel/client/import/preview': 'previews an import and changes nothing',
  'POST /v1/panel/device/:id/macs/import/preview': 'previews an import and changes nothing',
  'POST /v1/panel/portal/css': 'checks a text and stores nothing',
  'POST /v1/panel/integration/test': 'tests a connection and stores nothing',
  'POST /v1/panel/client-import/:id/part': 'brings a part of a file that was announced, which is audited',
  'POST /v1/panel/device/:id/logs/verify': 'reads the record and keeps what the check found',
  'POST /v1/panel/device/:id/doctor': 'asks the router and stores its answer',
  'POST /v1/panel/device/:id/connection/test': 'tests a connection and stores nothing',
  'POST /v1/panel/device/:id/commands/:commandId/retry': 'repeats a command that was audited before',
  'POST /v1/panel/integration/:id/test': 'tests a connection and stores nothing',
  'POST /v1/panel/integration/:id/deliveries/:deliveryId/resend': 'repeats a delivery that was made before',
  'POST /v1/panel/integration/:id/deliveries/resend': 'repeats deliveries that were made before',
  'POST /v1/panel/device/mikrotik/script/:id': 'returns a script and changes nothing',
  'POST /v1/panel/device/mikrotik/script/:id/link': 'returns a script and a one-time link to it',
  'POST /v1/panel/device/mikrotik/login/:id': 'returns a file and changes nothing',
  'POST /v1/panel/device/sophos/template/:id': 'returns a file and changes nothing',
};

/** Calls after which the token is no longer good. */
export const endsTheToken: Record<string, string> = {
  'POST /v1/user/logout': 'signs out',
};

/** Every POST of a signed-in caller without an Idempotency-Key, with the reason. */
export const unrepeatable: Record<string, string> = {
  'POST /v1/panel/user/two-factor': 'proposes a secret; the newest one counts',
  'POST /v1/panel/user/recovery-codes': 'returns secrets; those of the last call count',
  'POST /v1/panel/user/passkey/options': 'returns a challenge that is good once',
  'POST /v1/panel/client/selected/cards': 'reads passwords and changes nothing',
  'POST /v1/panel/client/export': 'returns a file and changes nothing',
  'POST /v1/panel/reports/who-was-it/pdf': 'returns a file and changes nothing',
  'POST /v1/panel/device/mikrotik/script/:id': 'returns a script and changes nothing',
  'POST /v1/panel/device/mikrotik/login/:id': 'returns a file and changes nothing',
  'POST /v1/panel/device/sophos/template/:id': 'returns a file and changes nothing',
};

/** Changes that send no event to webhooks, with the reason. Those of `unwritten` send none either. */
const account = 'changes the own account of a user, who is told by e-mail';
const signIn = 'signs a person in or out';
const secret = 'replaces a secret or a pinned certificate, which is no matter of other systems';
const reading = 'reads or prints, and changes nothing';
const draft = 'guests do not see drafts; publishing sends an event';
const upload = 'stores a picture; the thing that shows it sends an event';
export const untold: Record<string, string> = {
  'POST /v1/user/login': signIn,
  'POST /v1/user/logout': signIn,
  'POST /v1/user/passkey': signIn,
  'DELETE /v1/oauth/tokens/:id': signIn,
  'POST /v1/user/reset-password': account,
  'POST /v1/panel/user/confirm-email': account,
  'POST /v1/panel/user/two-factor/confirm': account,
  'DELETE /v1/panel/user/two-factor': account,
  'POST /v1/panel/user/recovery-codes': account,
  'PUT /v1/panel/user/me': account,
  'PUT /v1/panel/user/notification': account,
  'PUT /v1/panel/user/push': account,
  'DELETE /v1/panel/user/push/:id': account,
  'POST /v1/panel/user/token': account,
  'DELETE /v1/panel/user/token/:id': account,
  'POST /v1/panel/user/passkey': account,
  'PUT /v1/panel/user/passkey/:id': account,
  'DELETE /v1/panel/user/passkey/:id': account,
  'DELETE /v1/panel/tenant/sso/links/:id': account,
  'POST /v1/panel/device/:id/secret': secret,
  'POST /v1/panel/integration/:id/secret': secret,
  'POST /v1/panel/radius-proxy/:id/secret': secret,
  'DELETE /v1/panel/device/:id/connection/certificate': secret,
  'POST /v1/panel/device/:id/login-hosts': 'tells where guests go at one gateway; part of its care',
  'POST /v1/panel/reports/who-was-it': reading,
  'POST /v1/panel/reports/who-was-it/pdf': reading,
  'POST /v1/panel/client/export': reading,
  'POST /v1/panel/client/selected/cards': reading,
  'POST /v1/panel/voucher-batch/:id/cards': reading,
  'POST /v1/panel/printer/:id/vouchers': reading,
  'PUT /v1/panel/location/:id/voucher-card': 'changes how cards are printed',
  'PUT /v1/panel/saved-view': 'changes how lists are shown',
  'DELETE /v1/panel/saved-view/:id': 'changes how lists are shown',
  'PUT /v1/panel/portal/:id/draft': draft,
  'DELETE /v1/panel/portal/:id/draft': draft,
  'POST /v1/panel/client-import/:id/part': 'brings a part of a file; its import sends the events',
  'POST /v1/panel/portal/:id/image': upload,
  'POST /v1/panel/portal/image': upload,
  'POST /v1/panel/portal/:id/video': upload,
  'POST /v1/panel/portal/video': upload,
  'POST /v1/panel/tenant/images': upload,
  'POST /v1/panel/purchase/:id/check': 'asks the provider; the purchase sends an event when its state changes',
  'POST /v1/panel/license-payment/:id/check': 'asks the provider; the payment sends an event when its state changes',
  'POST /v1/panel/location/:id/license-payment': 'begins a payment, which sends licence.paid',
  'PUT /v1/panel/license-terms': 'the price that the tenant asks; it concerns no location',
  'POST /v1/panel/kick/:id': 'asks the router, whose report sends guest.offline',
  'POST /v1/panel/onlines/selected/end': 'asks the routers, whose reports send guest.offline',
  'POST /v1/panel/client/selected/end-sessions': 'asks the routers, whose reports send guest.offline',
  'PUT /v1/panel/client-import/:id': 'chooses before the start, which sends an event',
  'POST /v1/panel/voucher-batch/:id/extend': 'extends the visitors of used vouchers, of which this batch has none',
};

/** Files that anyone with the permission may read without an entry, with the reason. */
export const unwrittenFiles: Record<string, string> = {
  'GET /v1/panel/client/import/template': 'an example without data',
  'GET /v1/panel/location/overview': 'counts of locations, without guests',
  'GET /v1/panel/qrmenu/desk/:id/sheet': 'codes to print, which anyone at the table sees',
  'GET /v1/logs/download/:token': 'needs a signed link to a real file; logs.test.ts checks its entry',
};
