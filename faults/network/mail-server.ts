/** A running server that sends email on a clock that passes faster, and what arrived of what it was asked to send. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { callApi, type ProcessOptions, type Running, startServerProcess } from '../../test/support/server-process.ts'
import type { ReceivedMail } from '../../test/support/smtp.ts'
import { MOVED_CLOCK, openClock } from '../server/clock-file.ts'

export interface MailServerOptions extends ProcessOptions {
  /** Host and port of the SMTP server. */
  readonly smtp: string
  /** How fast its clock passes. */
  readonly rate: number
}

/** The real server, and those who asked it for an email. */
export interface MailSender {
  /** Everyone who must get an email: acknowledged. */
  readonly asked: Set<string>
  /** Adds a user, which sends an email with a code, and returns how long that took. */
  addUser(): Promise<number>
  waiting(): Promise<number>
  /** kill -9, and a new process on the same data; `between`: what happens while there is none. */
  killAndRestart(between?: () => Promise<void>): Promise<void>
  /** Lets time pass at once; from then on, the clock passes as fast as it does. */
  pass(milliseconds: number): Promise<void>
  stop(): Promise<void>
}

async function readWaiting(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^signet_mails\{state="waiting"\} (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
}

/** Starts the server and configures its SMTP server. It ends with the stack. */
export async function startMailSender(cleanUp: AsyncDisposableStack, options: MailServerOptions): Promise<MailSender> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-mail-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const listen = `127.0.0.1:${await freePort()}`
  const url = `http://${listen}`
  const clock = await openClock(join(folder, 'clock.json'), options.rate)
  let server: Running | undefined
  cleanUp.defer(() => void server?.child.kill('SIGKILL'))
  const start = async () => {
    const settings = { SIGNET_DATA_DIR: dataDir, SIGNET_LISTEN: listen, SIGNET_LOG_LEVEL: 'error', ...clock.settings }
    const preload = [MOVED_CLOCK, ...(options.preload ?? [])]
    server = await startServerProcess('main', ['start'], settings, { ...options, preload })
    await server.url
  }
  await start()
  const smtp = { senderAddress: 'mail@signet.example', senderName: 'The Sender', host: options.smtp }
  const configured = await callApi(url, dataDir, 'POST', '/admin/v1/smtp', smtp)
  if (configured.status !== 200) throw new Error(JSON.stringify(configured.body))
  const asked = new Set<string>()
  let count = 0
  return {
    asked,
    async addUser() {
      const address = `user${++count}@mouse.example`
      const user = {
        username: address,
        profile: { givenName: 'A', familyName: 'B' },
        email: { email: address, sendCode: {} },
      }
      const began = performance.now()
      const { status, body } = await callApi(url, dataDir, 'POST', '/v2/users/human', user)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      asked.add(address)
      return performance.now() - began
    },
    waiting: () => readWaiting(url),
    async killAndRestart(between) {
      server?.child.kill('SIGKILL')
      await server?.ended
      await between?.()
      await start()
    },
    pass: clock.pass,
    async stop() {
      server?.child.kill('SIGTERM')
      await server?.ended
    },
  }
}

/** Waits until no email is left; throws when that takes too long. */
export async function untilSent({ waiting }: Pick<MailSender, 'waiting'>, longestMs: number): Promise<void> {
  const deadline = performance.now() + longestMs
  while ((await waiting()) > 0) {
    if (performance.now() > deadline) throw new Error(`${await waiting()} emails were not sent in ${longestMs} ms`)
    await sleep(50)
  }
}

export interface Delivery {
  readonly asked: number
  readonly lost: number
  /** Further copies that a mail program does not recognize: of another Message-ID. */
  readonly doubled: number
  /** Further copies with the same Message-ID. */
  readonly repeated: number
}

/** Compares what arrived with what was asked for. */
export function compareMails(asked: ReadonlySet<string>, mails: readonly ReceivedMail[]): Delivery {
  const copies = new Map<string, string[]>()
  for (const { to, headers } of mails) {
    const id = headers.find(([name]) => name === 'message-id')?.[1] ?? ''
    const address = to[0] ?? ''
    copies.set(address, [...(copies.get(address) ?? []), id])
  }
  let doubled = 0
  let repeated = 0
  for (const ids of copies.values()) {
    const different = new Set(ids).size
    doubled += different - 1
    repeated += ids.length - different
  }
  const lost = [...asked].filter((address) => !copies.has(address)).length
  return { asked: asked.size, lost, doubled, repeated }
}
