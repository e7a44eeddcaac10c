/**
 * The hosted pages of a real app on a real port: `openHostedPages()` opens a world on SQLite and serves its pages and
 * methods. `page-client.ts` reads the replies.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { authorizationOf, createApp, methodsOf } from '../../src/app.ts'
import { openPasswords } from '../../src/crypto/passwords/index.ts'
import type { LoginSettings } from '../../src/features/settings/index.ts'
import { users } from '../../src/features/users/index.ts'
import { assetRoutes } from '../../src/http/assets/asset-routes.ts'
import type { FinishedRequest } from '../../src/http/exchange.ts'
import type { Pages } from '../../src/http/page.ts'
import { openPort } from '../../src/http/port/listener.ts'
import { openRouter } from '../../src/http/router.ts'
import { instant } from '../../src/kernel/instant.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import type { App } from '../../src/module/app.ts'
import { hostedPages, notFoundPage } from '../../src/web/index.ts'
import { openingOn } from './opening.ts'
import { type Ask, askHttp1, askHttp2 } from './page-client.ts'
import { openSessionWorld, PASSWORD, type Person, type SessionWorld } from './session-world.ts'

/** The secret of an authenticator app, that of the vectors of RFC 6238. */
export const TOTP_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

export const HOUR = 3_600_000

/** Pages on a port. */
export interface ServedPages {
  /** Where they are served. */
  readonly url: string
  readonly pages: Pages
  /** Every unexpected error. */
  readonly faults: readonly unknown[]
  readonly finished: readonly FinishedRequest[]
  /** One client for each version of HTTP. */
  readonly clients: readonly (readonly [version: string, ask: Ask])[]
  /** The client of HTTP/1.1. */
  readonly ask: Ask
  /** The client of HTTP/2, which can name any host. */
  readonly askHttp2: Ask
  close(): Promise<void>
}

/** Serves the pages and the methods of an app. Refusals are not delayed, for the sake of time. */
export async function servePages(app: App): Promise<ServedPages> {
  const faults: unknown[] = []
  const finished: FinishedRequest[] = []
  const pages = hostedPages({ app, fault: (error) => faults.push(error), refusalMs: 0 })
  const authorize = authorizationOf(app)
  const log = ({ error }: { readonly error: unknown }) => void faults.push(error)
  const router = openRouter({
    methods: methodsOf(app),
    authorize,
    pages: new Map([...pages, ...assetRoutes({ app, authorize, log })]),
    notFoundPage: notFoundPage(app.externalUrl),
    log,
    onFinish: (request) => finished.push(request),
  })
  const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router })
  const url = `http://localhost:${port.address.port}`
  const [ask, ask2] = [askHttp1(url), askHttp2(url)]
  const clients = [
    ['HTTP/1.1', ask],
    ['HTTP/2', ask2],
  ] as const
  return { url, pages, faults, finished, clients, ask, askHttp2: ask2, close: () => port.close() }
}

export interface NewUser {
  readonly displayName?: string
  /** Undefined: the user has none. */
  readonly password?: string | undefined
  readonly mustChangePassword?: boolean
  readonly organizationId?: string
  /** False: the code of the address is in the answer. */
  readonly isVerified?: boolean
  readonly totpSecret?: string
  readonly phone?: string
}

export interface NewProvider {
  readonly name: string
  readonly issuer?: string
  readonly isLinkingAllowed?: boolean
  readonly isCreationAllowed?: boolean
  readonly isHidden?: boolean
}

/** A world whose pages are served. */
export interface HostedPages extends SessionWorld, ServedPages {
  /** Serves the pages of the same data once more, by an app with other tools; closed with the world. */
  serve(tools: Partial<App>): Promise<ServedPages>
  /** As above, by an app whose store fails with this error when it reads or writes. */
  serveFailing(error: Error, when: 'get' | 'write', tools?: Partial<App>): Promise<ServedPages>
  /** As above, by an app whose only hashing thread is never free, until the pages are closed. */
  serveBusy(): Promise<ServedPages>
  /** Adds an organization with these login settings. */
  addOrganization(login?: Partial<LoginSettings>): Promise<string>
  addUser(made?: NewUser): Promise<Person & { readonly emailCode: string }>
  /** Adds a provider of the instance; linking and registering are allowed unless told otherwise. */
  addProvider(made: NewProvider): Promise<string>
  linkAccount(user: Pick<Person, 'userId'>, idpId: string, account: { id: string; name: string }): Promise<void>
  /** Does something as if it were some time ago. */
  before<Value>(milliseconds: number, act: () => Promise<Value>): Promise<Value>
  /** Lets time pass. */
  wait(milliseconds: number): void
  /** Where the log ends now. */
  mark(): Promise<number>
  /** The types of the events after a mark. */
  eventsSince(mark: number): Promise<readonly string[]>
  /** What waits to be sent to a user by mail, as soon as there are that many: a page answers before it sends. */
  mailsTo(user: Pick<Person, 'userId'>, type: string, count: number): Promise<readonly Mail[]>
}

export interface Mail {
  readonly code: string
  readonly link: string
}

/** Hashing with one thread that always has something to do, and a queue in which nothing may wait. */
function openBusyHashing() {
  const costs = { memoryKib: 8192, passes: 1, lanes: 1 }
  const hashing = openPasswords({ currentOwners: () => ['test'], costs, threads: 1, queueSeconds: 0 })
  let isOver = false
  const keepBusy = async () => {
    while (!isOver) await hashing.hash('the only thread')
  }
  const work = keepBusy()
  const stop = async () => {
    isOver = true
    await work
    await hashing.close()
  }
  return { hashing, stop }
}

/** Opens a world on SQLite and serves its pages. */
export function openHostedPages(): Promise<HostedPages> {
  return openingOn(openSessionWorld(), serveHostedPages)
}

async function serveHostedPages(world: SessionWorld): Promise<HostedPages> {
  const { call, owner, store, clock } = world
  const pages = await servePages(world.app)
  const closing: (() => Promise<void>)[] = [pages.close]
  let count = 0

  const serve: HostedPages['serve'] = async (tools) => {
    const more = await servePages(createApp({ ...world.app, ...tools }))
    closing.push(more.close)
    return more
  }

  const addUser: HostedPages['addUser'] = async (made = {}) => {
    const { displayName = 'Ada Lovelace', mustChangePassword = false, isVerified = true } = made
    const { organizationId, totpSecret, phone } = made
    const password = 'password' in made ? made.password : PASSWORD
    const loginName = `user-${++count}`
    const verified = { case: 'isVerified', value: true } as const
    const { userId, emailCode = '' } = await call(
      UserService.method.addHumanUser,
      {
        username: loginName,
        profile: { firstName: 'Ada', lastName: 'Lovelace', displayName },
        email: {
          email: `${loginName}@example.com`,
          verification: isVerified ? verified : { case: 'returnCode', value: {} },
        },
        ...(password !== undefined && {
          passwordType: { case: 'password', value: { password, changeRequired: mustChangePassword } },
        }),
        ...(organizationId !== undefined && { organisation: { org: { case: 'orgId', value: organizationId } } }),
        ...(totpSecret !== undefined && { totpSecret }),
        ...(phone !== undefined && { phone: { phone, verification: verified } }),
      },
      owner,
    )
    return { userId, loginName, emailCode }
  }

  return {
    ...world,
    ...pages,
    addUser,
    serve,
    serveFailing: (error, when, tools = {}) =>
      serve({ ...tools, store: { ...store, [when]: () => Promise.reject(error) } }),
    async serveBusy() {
      const { hashing, stop } = openBusyHashing()
      const busy = await serve({ hashing })
      return { ...busy, close: stop }
    },
    async addOrganization(login) {
      const name = `Organization ${++count}`
      const { organizationId } = await call(OrganizationService.method.addOrganization, { name }, owner)
      if (login !== undefined) await world.setLogin(organizationId, login)
      return organizationId
    },
    async addProvider({ name, issuer = 'https://acme.example', ...allowed }) {
      const providerOptions = { isLinkingAllowed: true, isCreationAllowed: true, ...allowed }
      const client = { clientId: 'signet-client', clientSecret: 'a secret', scopes: ['openid', 'profile', 'email'] }
      const { addGenericOIDCProvider } = AdminService.method
      return (await call(addGenericOIDCProvider, { name, issuer, ...client, providerOptions }, owner)).id
    },
    async linkAccount({ userId }, idpId, { id, name }) {
      const idpLink = { idpId, userId: id, userName: name }
      await call(UserService.method.addIDPLink, { userId, idpLink }, owner)
    },
    async before(milliseconds, act) {
      const { now } = clock
      clock.now = instant(now - milliseconds)
      try {
        return await act()
      } finally {
        clock.now = now
      }
    },
    wait(milliseconds) {
      clock.now = instant(clock.now + milliseconds)
    },
    mark: async () => (await store.find(users, { limit: 0 })).sequence,
    eventsSince: async (mark) => (await store.events({ from: mark, limit: 1000 })).map(({ type }) => type),
    async mailsTo({ userId }, type, least) {
      for (;;) {
        const mails = (await world.outbox()).filter(({ data }) => data.userId === userId && data.type === type)
        if (mails.length >= least) return mails.map(({ values }) => values as unknown as Mail)
        await sleep(5)
      }
    },
    async close() {
      await Promise.all(closing.map((close) => close()))
      await world.dispose()
    },
  }
}

/** How a store refuses that cannot reach its database. */
export const UNAVAILABLE = new Refused('store.unavailable', 'unavailable', 'The database cannot be reached.')

/** Where people of one organization go after signing in. */
export const APPLICATION = 'https://app.example.com/start?a=1'

/** Tokens of sessions, one at each step of signing in. */
export async function signInToEachStep(world: HostedPages) {
  const signIn = async (made: NewUser = {}) => (await world.signIn(await world.addUser(made))).token
  const requiring = await world.addOrganization({ requiresSecondFactor: true })
  const leading = await world.addOrganization({ defaultRedirectUri: APPLICATION })
  return {
    done: await signIn(),
    stale: await world.before(HOUR, () => signIn()),
    second: await signIn({ totpSecret: TOTP_SECRET }),
    setUp: await signIn({ organizationId: requiring }),
    change: await signIn({ mustChangePassword: true }),
    away: await signIn({ organizationId: leading }),
  }
}
