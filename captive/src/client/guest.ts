import { removeAfterWait } from './remove-after-wait.ts';
import { watch } from './watch.ts';

/** Progressive enhancements; every page works without them. */

/** Longer than any of our own checks takes, and shorter than browsers wait. */
const noAnswerMs = 20_000;

function offerReveal(box: HTMLElement): void {
  const input = box.querySelector('input');
  const { show = '', hide = '' } = box.dataset;
  if (!input || box.classList.contains('has-reveal')) return;
  box.classList.add('has-reveal');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'reveal';
  button.setAttribute('aria-controls', input.id);
  const draw = () => {
    const shown = input.type === 'text';
    button.setAttribute('aria-label', shown ? hide : show);
    button.setAttribute('aria-pressed', String(shown));
    button.innerHTML = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7-10-7-10-7z"/><circle cx="12" cy="12" r="3"/>${shown ? '<path d="M4 4l16 16"/>' : ''}</svg>`;
  };
  button.addEventListener('click', () => {
    input.type = input.type === 'text' ? 'password' : 'text';
    draw();
    input.focus();
  });
  draw();
  box.append(button);
}

/** A video plays where the guest's device does not ask for less motion or less data. Browsers may still refuse. */
function playVideo(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (matchMedia('(prefers-reduced-motion:reduce)').matches || connection?.saveData) return;
  document.querySelectorAll('video').forEach(video => void video.play().catch(() => undefined));
}

function prepare(): void {
  playVideo();
  document.querySelectorAll<HTMLElement>('[data-reveal]').forEach(offerReveal);
}

// A link that keeps what was typed submits the open method's form.
document.addEventListener('click', event => {
  const button = (event.target as Element).closest('.go[form]');
  const tab = document.querySelector('.tabs>:checked');
  const open = document.querySelector(tab ? `.panel-${tab.id.slice(4)} form` : 'details[open] form');
  if (button && open) button.setAttribute('form', open.id);
});

document.addEventListener('submit', event => {
  if (event.submitter?.classList.contains('go')) return;
  const form = event.target as HTMLFormElement;
  const button = form.querySelector<HTMLButtonElement>('.button[type=submit]');
  if (!button) return;
  const goOn = document.querySelector<HTMLAnchorElement>('[data-next]');
  const frame = document.querySelector('iframe');
  // Once the hidden frame has the router's answer, the page goes on by itself.
  if (goOn && frame) return frame.addEventListener('load', () => location.replace(goOn.href));
  // A second submission would only issue a second ticket.
  if (form.dataset['sent']) event.preventDefault();
  form.dataset['sent'] = '1';
  // Passwords are hidden again before they are sent, so that no browser stores them as plain text.
  form.querySelectorAll<HTMLInputElement>('[data-reveal] input').forEach(input => (input.type = 'password'));
  const words = button.textContent;
  button.textContent = form.dataset['busy'] ?? words;
  button.setAttribute('aria-busy', 'true');
  const notice = document.querySelector<HTMLElement>('[data-no-answer]');
  if (!notice) return;
  notice.hidden = true;
  // The way leads through the router, which a guest who has left the network cannot reach. The page is still there, so it
  // says so before the browser replaces it by a page of its own.
  setTimeout(() => {
    stop();
    notice.setAttribute('role', 'alert');
    notice.hidden = false;
    notice.scrollIntoView({ block: 'center' });
    button.textContent = words;
    button.removeAttribute('aria-busy');
    delete form.dataset['sent'];
  }, noAnswerMs);
});

// The back button restores a page with disabled buttons, so they are enabled again.
addEventListener('pageshow', event => {
  if (event.persisted) location.reload();
});

watch();

document
  .querySelectorAll<HTMLElement>('[data-wait]')
  .forEach(notice => removeAfterWait(notice, () => document.querySelectorAll('[aria-describedby=problem]')));

// The browser reads the code from the message, whose last line names this host (WebOTP).
const code = document.querySelector<HTMLInputElement>('[autocomplete=one-time-code]');
if (code && 'OTPCredential' in window)
  navigator.credentials
    .get({ otp: { transport: ['sms'] } } as CredentialRequestOptions)
    .then(found => {
      if (found && !code.value) code.value = (found as Credential & { readonly code: string }).code;
    })
    .catch(() => undefined);

const again = document.querySelector<HTMLElement>('[data-refresh]')?.dataset['refresh'];
if (again) setTimeout(() => location.replace(again), 2500);

const auto = document.querySelector<HTMLFormElement>('form[data-auto]');
if (auto) {
  // The Back button leads to the page that waits for the guest, also where no cookie tells that it was sent.
  history.replaceState(null, '', auto.dataset['auto']);
  auto.requestSubmit();
}

prepare();
addEventListener('portico:drawn', prepare);
