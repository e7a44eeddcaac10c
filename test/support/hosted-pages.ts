/** The hosted pages on a real port before rooms of paper, and people who ask them over HTTP/1.1 and HTTP/2. */
import { connect } from 'node:http2'
import { DEFAULT_PASSWORD_POLICY } from '../../src/crypto/passwords/index.ts'
import type { FinishedRequest } from '../../src/http/exchange.ts'
import { openPort } from '../../src/http/port/listener.ts'
import { openRouter } from '../../src/http/router.ts'
import { type Instant, instant } from '../../src/kernel/instant.ts'
import { hostedPages } from '../../src/web/index.ts'
import type { Holder, PagePorts, WholeInboxMail } from '../../src/web/ports.ts'
import { paperAccount } from './paper-account.ts'

export const RIGHT_CODE = 'RIGHT7'

export const MAIL: WholeInboxMail = {
  id: 'mail-1',
  to: 'ada@example.com',
  subject: 'Hello <Ada>',
  at: 1_800_000_000_000,
  text: 'Your code is <b>ABC</b>.',
  html: '<!doctype html><html><head><title>x</title></head><body><p style="color:green">Your code</p></body></html>',
}

function outcomeOf({ code }: Holder) {
  return code === RIGHT_CODE ? 'done' : 'refused'
}

/** Rooms in which only one code is right; they write down what they were asked to do. */
export function paperRooms(deeds: string[]): PagePorts {
  const set = (deed: string) => async (given: Holder & { readonly password: string }) => {
    if (given.code === 'BUSY77') return { outcome: 'busy' } as const
    if (given.code === RIGHT_CODE && given.password.length < 8) {
      return { outcome: 'flawed', flaws: ['too_short', 'common'], policy: DEFAULT_PASSWORD_POLICY } as const
    }
    if (outcomeOf(given) === 'done') deeds.push(`${deed} ${given.userId} ${given.password}`)
    return { outcome: outcomeOf(given), userName: 'admin' } as const
  }
  const note = (deed: string) => async (whom: string) => void deeds.push(`${deed} ${whom}`)
  return {
    async verifyEmail(holder) {
      if (holder.code === 'BROKEN') throw new Error('the secret of the house')
      if (outcomeOf(holder) === 'done') deeds.push(`verify ${holder.userId}`)
      return outcomeOf(holder)
    },
    sendEmailCode: note('send e-mail code'),
    resetPassword: set('reset'),
    sendPasswordReset: note('send reset'),
    sendPasswordResetTo: note('send reset to'),
    acceptInvitation: set('accept'),
    sendInvitation: note('send invitation'),
    setUp: set('set up'),
    passwordPolicy: async (organizationId) => ({
      ...DEFAULT_PASSWORD_POLICY,
      minLength: organizationId === 'strict' ? 15 : 8,
      needsSymbol: organizationId === 'strict',
    }),
    finishSignIn: async ({ parameters }) =>
      parameters.get('state') === 'right'
        ? { type: 'redirect', url: 'https://app.example/done?id=1' }
        : { type: 'unknown' },
    inbox: {
      isOpen: async () => true,
      list: async () => [MAIL],
      read: async (id) => (id === MAIL.id ? MAIL : undefined),
    },
    ...paperAccount(deeds),
  }
}

export interface Told {
  readonly status: number
  readonly text: string
  header(name: string): string | undefined
}

export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as a form, unless it is text. */
  readonly form?: Readonly<Record<string, string>> | string
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

function partsOf({ method, headers = {}, form }: Ask) {
  return {
    method: method ?? (form === undefined ? 'GET' : 'POST'),
    headers: { ...(form === undefined ? {} : { 'content-type': FORM_TYPE }), ...headers },
    body: typeof form === 'object' ? new URLSearchParams(form).toString() : form,
  }
}

function ask1(origin: string) {
  return async (path: string, ask: Ask = {}): Promise<Told> => {
    const { method, headers, body } = partsOf(ask)
    const answer = await fetch(`${origin}${path}`, { method, headers, redirect: 'manual', ...(body && { body }) })
    return { status: answer.status, text: await answer.text(), header: (name) => answer.headers.get(name) ?? undefined }
  }
}

function ask2(origin: string) {
  return (path: string, ask: Ask = {}): Promise<Told> => {
    const { method, headers, body } = partsOf(ask)
    const { host, ...others } = headers as Record<string, string>
    const session = connect(origin)
    const { promise, resolve, reject } = Promise.withResolvers<Told>()
    session.on('error', reject)
    const stream = session.request({
      ':method': method,
      ':path': path,
      ...(host === undefined ? {} : { ':authority': host }),
      ...others,
    })
    stream.on('error', reject)
    stream.on('response', async (received) => {
      const text = Buffer.concat(await stream.toArray()).toString()
      const header = (name: string) => received[name]?.toString()
      resolve({ status: Number(received[':status']), text, header })
    })
    stream.end(body)
    return promise.finally(() => session.close())
  }
}

/** Opens a port with the pages on it; `rooms` changes what the rooms of paper do. */
export async function openHostedPages(rooms: Partial<PagePorts> = {}, publicUrl?: string) {
  const deeds: string[] = []
  const faults: unknown[] = []
  const finished: FinishedRequest[] = []
  const clock = { now: instant(1_800_000_000_000) as Instant }
  const pages = new Map(
    hostedPages({
      ports: { ...paperRooms(deeds), ...rooms },
      externalUrl: publicUrl ?? 'http://localhost:8080',
      now: () => clock.now,
      fault: (error) => faults.push(error),
      refusalMs: 0,
    }),
  )
  const router = openRouter({
    authorize: () => Promise.reject(new Error('there are no methods')),
    pages,
    log: ({ error }) => faults.push(error),
    onFinish: (request) => finished.push(request),
  })
  const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router })
  const origin = `http://localhost:${port.address.port}`
  return {
    origin,
    deeds,
    faults,
    finished,
    clock,
    pages,
    /** The same question in both versions of HTTP. */
    askers: [
      ['HTTP/1.1', ask1(origin)],
      ['HTTP/2', ask2(origin)],
    ] as const,
    ask: ask1(origin),
    close: () => port.close(),
  }
}
