// Shows notifications though the panel is closed. It answers no requests and keeps no files.
self.addEventListener('push', event => {
  const { title, body, language, path, tag } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, { body, lang: language, tag, icon: '/favicon.svg', data: path }),
  );
});

// A new window: what is typed in an open one stays.
self.addEventListener('notificationclick', event => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});
