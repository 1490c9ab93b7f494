import { createHash } from 'node:crypto';
import { RouterError, type RouterLink, type RouterTarget } from '../driver.ts';
import { openSocket } from '../pinned-socket.ts';
import { encodeSentence, sentenceReader } from './api-words.ts';
import { applyWish } from './commands.ts';
import { type Entry, type Menus, maxAnswerBytes, type Values } from './menus.ts';

/** RouterOS's binary API, plain or over TLS, one command after the other. */
export async function openApi(target: RouterTarget): Promise<RouterLink> {
  const { socket, certificate } = await openSocket(target);
  const talk = conversation(socket, target.timeoutMs);
  try {
    await logIn(talk.ask, target);
  } catch (error) {
    talk.close();
    throw error;
  }
  const { ask, close } = talk;
  const menus: Menus = {
    print: async (menu, where, properties) => {
      const queries = Object.entries(where).map(([name, value]) => `?${name}=${value}`);
      return (await ask([`/${menu}/print`, `=.proplist=${properties.join(',')}`, ...queries])).entries;
    },
    add: async (menu, values) => void (await ask([`/${menu}/add`, ...attributes(values)])),
    set: async (menu, id, values) => void (await ask([`/${menu}/set`, `=.id=${id}`, ...attributes(values)])),
    remove: async (menu, id) => {
      await ask([`/${menu}/remove`, `=.id=${id}`]).catch((error: unknown) => {
        // Somebody else removed it in the meantime: that is what was wished for.
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
    apply: wish => applyWish(menus, wish),
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

/** Since 6.43 the password goes with the login; older routers answer that with a challenge. */
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

function conversation(socket: import('node:net').Socket, timeoutMs: number): { ask: Ask; close: () => void } {
  const read = sentenceReader();
  let waiting: { hear: (sentence: string[]) => void; fail: (error: RouterError) => void } | undefined;
  let over: RouterError | undefined;
  let size = 0;
  const end = (error: RouterError) => {
    over ??= error;
    clearTimeout(timer);
    socket.destroy();
    waiting?.fail(over);
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
      for (const sentence of read(chunk)) waiting?.hear(sentence);
    } catch (error) {
      end(error as RouterError);
    }
  });

  const ask: Ask = words =>
    new Promise((resolve, reject) => {
      if (over) return reject(over);
      const entries: Entry[] = [];
      let trap: RouterError | undefined;
      size = 0;
      const settle = (work: () => void) => {
        waiting = undefined;
        work();
      };
      waiting = {
        fail: error => settle(() => reject(error)),
        hear: ([kind, ...rest]) => {
          if (kind === '!re') entries.push(entryOf(rest));
          else if (kind === '!trap') trap ??= new RouterError('refused', entryOf(rest)['message'] ?? 'refused');
          else if (kind === '!fatal') end(new RouterError('refused', rest.join(' ') || 'fatal'));
          // RouterOS 7.18 says !empty before !done where there is nothing to tell.
          else if (kind === '!done') settle(() => (trap ? reject(trap) : resolve({ entries, done: entryOf(rest) })));
        },
      };
      socket.write(encodeSentence(words));
    });
  return {
    ask,
    close: () => {
      clearTimeout(timer);
      over ??= new RouterError('unreachable', 'closed');
      socket.destroy();
    },
  };
}
