import type { WhoWasItForm } from '@portico/contract/identity.ts';
import { useMutation } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { call, download } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';

/** The audit log keeps every lookup, so one is sent only when the user presses the button. */
export const useWhoWasIt = () =>
  useChange({ send: (body: WhoWasItForm) => call(api.identity.find, { body }), refresh: [api.audit.list] });

export const useWhoWasItPdf = () =>
  useMutation({
    mutationFn: (body: WhoWasItForm) => download(api.identity.pdf, `who-was-it-${body.at.slice(0, 10)}.pdf`, { body }),
  });

export const useCertificate = () =>
  useMutation({ mutationFn: () => download(api.identity.certificate, 'portico-signature.pem') });
