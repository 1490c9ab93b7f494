import { createHash } from 'node:crypto';
import { openSocket } from '../pinned-socket.ts';
import { RouterError, type RouterLink, type RouterTarget } from '../router-control.ts';
import { encodeSentence, sentenceReader } from './api-words.ts';
import { applyCommand } from './commands.ts';
import { type Entry, type Menus, maxAnswerBytes, type Values } from './menus.ts';

/** RouterOS's binary API, plain or over TLS. Commands run one after another. */
export async function openApi(target: RouterTarget): Promise<RouterLink> {
  const { socket, certificate } = await openSocket(target);
  const { ask, close } = openChannel(socket, target.timeoutMs);
  try {
    await logIn(ask, target);
  } catch (error) {
    close();
    throw error;
  }
  const menus: Menus = {
    print: async (menu, where, properties) => {
      const queries = Object.entries(where).map(([name, value]) => `?${name}=${value}`);
      return (await ask([`/${menu}/print`, `=.proplist=${properties.join(',')}`, ...queries])).entries;
    },
    add: async (menu, values) => void (await ask([`/${menu}/add`, ...attributes(values)])),
    set: async (menu, id, values) => void (await ask([`/${menu}/set`, `=.id=${id}`, ...attributes(values)])),
    remove: async (menu, id) => {
      await ask([`/${menu}/remove`, `=.id=${id}`]).catch((error: unknown) => {
        // Another client removed it in the meantime.
        if (!(error instanceof RouterError && /no such item/i.test(error.message))) throw error;
      });
    },
  };
  const first = async (menu: string) => (await ask([`/${menu}/print`])).entries[0];
  return {
    certificate,
    identify: async () => ({
      identity: (await first('system/identity'))?.['name'] ?? '',
      version: (await first('system/resource'))?.['version'] ?? '',
    }),
    apply: command => applyCommand(menus, command),
    close,
  };
}

const attributes = (values: Values): string[] => Object.entries(values).map(([name, value]) => `=${name}=${value}`);

interface Answer {
  readonly entries: Entry[];
  /** The attributes of `!done`. */
  readonly done: Entry;
}
type Ask = (words: readonly string[]) => Promise<Answer>;

/** Since RouterOS 6.43 the login carries the password; older routers reply with a challenge. */
async function logIn(ask: Ask, { username, password }: RouterTarget): Promise<void> {
  const refused = (error: unknown): never => {
    if (error instanceof RouterError && error.kind === 'refused') throw new RouterError('login', error.message);
    throw error;
  };
  const { done } = await ask(['/login', `=name=${username}`, `=password=${password}`]).catch(refused);
  const challenge = done['ret'];
  if (challenge === undefined) return;
  const proof = createHash('md5').update('\0').update(password).update(Buffer.from(challenge, 'hex')).digest('hex');
  await ask(['/login', `=name=${username}`, `=response=00${proof}`]).catch(refused);
}

const entryOf = (words: readonly string[]): Entry =>
  Object.fromEntries(
    words.flatMap(word => {
      const [, name, value] = /^=([^=]+)=(.*)$/s.exec(word) ?? [];
      return name === undefined ? [] : [[name, value ?? '']];
    }),
  );

function openChannel(socket: import('node:net').Socket, timeoutMs: number): { ask: Ask; close: () => void } {
  const read = sentenceReader();
  let pending: { receive: (sentence: string[]) => void; fail: (error: RouterError) => void } | undefined;
  let closed: RouterError | undefined;
  let size = 0;
  const end = (error: RouterError) => {
    closed ??= error;
    clearTimeout(timer);
    socket.destroy();
    pending?.fail(closed);
  };
  const timer = setTimeout(
    () => end(new RouterError('unreachable', `no answer within ${Math.ceil(timeoutMs / 1000)} s`)),
    timeoutMs,
  );
  socket.on('close', () => end(new RouterError('unreachable', 'the router closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxAnswerBytes) return end(new RouterError('refused', 'the answer is too large'));
    try {
      for (const sentence of read(chunk)) pending?.receive(sentence);
    } catch (error) {
      end(error as RouterError);
    }
  });

  const ask: Ask = words =>
    new Promise((resolve, reject) => {
      if (closed) return reject(closed);
      const entries: Entry[] = [];
      let trap: RouterError | undefined;
      size = 0;
      const settle = (finish: () => void) => {
        pending = undefined;
        finish();
      };
      pending = {
        fail: error => settle(() => reject(error)),
        receive: ([kind, ...rest]) => {
          if (kind === '!re') entries.push(entryOf(rest));
          else if (kind === '!trap') trap ??= new RouterError('refused', entryOf(rest)['message'] ?? 'refused');
          else if (kind === '!fatal') end(new RouterError('refused', rest.join(' ') || 'fatal'));
          // RouterOS 7.18 sends !empty before !done for an empty result.
          else if (kind === '!done') settle(() => (trap ? reject(trap) : resolve({ entries, done: entryOf(rest) })));
        },
      };
      socket.write(encodeSentence(words));
    });
  return {
    ask,
    close: () => {
      clearTimeout(timer);
      closed ??= new RouterError('unreachable', 'closed');
      socket.destroy();
    },
  };
}
