import '#app/styles/panel.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { makeRouter } from '#app/router.tsx';
import { backgroundHeaders, watchActivity } from '#lib/activity.ts';
import { addToRequests } from '#lib/client.ts';
import { watchConnection, watchedFetch } from '#lib/connection.ts';
import { refreshUser } from '#lib/guard.ts';
import { addTexts, type Texts } from '#lib/i18n.ts';
import { answered, keyFor } from '#lib/idempotency.ts';
import { watchOtherTabs } from '#lib/other-tabs.ts';
import { makeQueryClient } from '#lib/queries.ts';
import { Toasts } from '#ui/toasts.tsx';

addTexts(import.meta.glob<Texts>('../**/*.{en,tr}.json', { import: 'default' }));

/** The panel of a signed-in user. */
export function PanelApp() {
  const [{ queries, router }] = useState(() => {
    const queries = makeQueryClient();
    watchOtherTabs(() => void refreshUser(queries));
    watchActivity();
    watchConnection();
    addToRequests({ keyFor, answered, headers: backgroundHeaders, fetch: watchedFetch });
    return { queries, router: makeRouter(queries) };
  });
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  );
}
