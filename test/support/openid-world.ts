/**
 * A world whose OpenID endpoints, pages and methods are served on a real port, with the real clock, and a small browser
 * that signs in with the hosted pages. Applications and users are added through the API.
 */
import assert from 'node:assert/strict'
import type { DescMethodUnary } from '@bufbuild/protobuf'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { routerOf } from '../../src/app.ts'
import { projects as projectKind } from '../../src/features/projects/index.ts'
import { openPort } from '../../src/http/port/listener.ts'
import { type Clock, systemClock } from '../../src/kernel/instant.ts'
import type { GuardedFetch } from '../../src/outbound/fetch.ts'
import type { TestEngine } from './engines.ts'
import { freePort } from './free-port.ts'
import { openingOn } from './opening.ts'
import { openWorld, type World, type WorldNode } from './world.ts'

export const PASSWORD = 'Correct horse 7 battery'
export const REDIRECT_URI = 'https://app.example/callback'

export interface Browser {
  /** Opens an address and follows redirects within the server; stops at the first one that leaves it. */
  open(url: string): Promise<Stop>
  /** Sends the form with this action, with the fields that the page has and the given ones. */
  send(page: Stop, fields: Readonly<Record<string, string>>, action?: string): Promise<Stop>
  /** Posts a form to an address. */
  submit(url: string, form: URLSearchParams): Promise<Stop>
  readonly cookies: Map<string, string>
}

/** Where a browser stands. */
export interface Stop {
  readonly url: string
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

export interface Application {
  readonly id: string
  readonly projectId: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface OpenIdWorld extends World {
  readonly url: string
  readonly faults: unknown[]
  /** The app behind the port. */
  readonly served: WorldNode['app']
  browser(): Browser
  /** In the default organization unless the options name another one. */
  addProject(options?: Readonly<Record<string, unknown>> & { readonly organizationId?: string }): Promise<string>
  addApplication(config?: Readonly<Record<string, unknown>>, projectId?: string, name?: string): Promise<Application>
  addApi(projectId: string): Promise<Application>
  addPerson(name: string, more?: Readonly<Record<string, unknown>>): Promise<string>
  /** Signs a person in at the page where the browser stands. */
  signIn(browser: Browser, page: Stop, name: string): Promise<Stop>
  /** Another node on the same data, on a port of its own. */
  serveAnother(): Promise<{ readonly url: string; readonly node: WorldNode }>
}

function withFaults({ app }: WorldNode, faults: unknown[]): WorldNode['app'] {
  const log = { ...app.log, error: (fault: unknown) => faults.push(fault) }
  return Object.freeze({ ...app, log }) as unknown as WorldNode['app']
}

async function serve(app: WorldNode['app'], port: number) {
  const router = routerOf(app, { pages: new Map(), onFinish: () => {} })
  return openPort({ listen: { host: '127.0.0.1', port }, router })
}

function entity(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** The fields of the form with this action. */
function fieldsOf(page: Stop, action: string | undefined): { action: string; fields: Record<string, string> } {
  const forms = [...page.text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)]
  const targets = forms
    // What asks for a passkey is sent by the script of the page.
    .filter(([, head = '']) => !head.includes('data-key'))
    .map(([, head = '', body = '']) => ({ target: entity(/action="([^"]*)"/.exec(head)?.[1] ?? ''), body }))
  const found = targets.find(({ target }) => action === undefined || target.startsWith(action))
  assert.ok(found, `there is no form ${action ?? ''}: ${page.status} ${page.url} ${page.text.slice(0, 2000)}`)
  const fields: Record<string, string> = {}
  for (const [tag] of found.body.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1]
    if (name !== undefined) fields[name] = entity(/value="([^"]*)"/.exec(tag)?.[1] ?? '')
  }
  return { action: new URL(found.target, page.url).href, fields }
}

function openBrowser(home: string): Browser {
  const cookies = new Map<string, string>()
  const request = async (url: string, form?: URLSearchParams): Promise<Stop> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        accept: 'text/html',
        ...(form && {
          'content-type': 'application/x-www-form-urlencoded',
          origin: home,
          'sec-fetch-site': 'same-origin',
        }),
      },
      ...(form && { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /Max-Age=0|expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await response.text()
    const next = response.headers.get('location') ?? /url=(.*)$/.exec(response.headers.get('refresh') ?? '')?.[1]
    const target = next && new URL(next, url).href
    if (target?.startsWith(home)) return request(target)
    return { url: target ?? url, status: response.status, text, headers: response.headers }
  }
  return {
    cookies,
    open: (url) => request(url),
    submit: (url, form) => request(url, form),
    send(page, fields, action) {
      const form = fieldsOf(page, action)
      return request(form.action, new URLSearchParams({ ...form.fields, ...fields }))
    },
  }
}

/** Opens a world that serves OpenID Connect. */
export async function openOpenIdWorld({
  engine,
  clock = systemClock,
  fetchOutside,
}: {
  readonly engine?: TestEngine
  readonly clock?: Clock
  readonly fetchOutside?: GuardedFetch
} = {}): Promise<OpenIdWorld> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const opened = openWorld({ engine, clock, externalUrl: url, ...(fetchOutside && { fetchOutside }) })
  return openingOn(opened, (world) => serveOpenId(world, port))
}

async function serveOpenId(world: World, port: number): Promise<OpenIdWorld> {
  const url = `http://localhost:${port}`
  const faults: unknown[] = []
  const served = withFaults(world, faults)
  const ports = [await serve(served, port)]
  const call = (method: DescMethodUnary, message: object): Promise<Record<string, never>> =>
    world.call(method as never, message as never, world.owner) as never
  const { defaultOrganizationId: home } = world
  let projects = 0

  const addProject: OpenIdWorld['addProject'] = async ({ organizationId = home, ...options } = {}) => {
    projects += 1
    const id = world.app.newId()
    const settings = {
      name: `Project ${projects}`,
      projectRoleAssertion: false,
      authorizationRequired: false,
      projectAccessRequired: false,
      privateLabeling: 'unspecified',
      ...options,
    }
    await world.store.write(world.origin(), (work) =>
      work.decide(projectKind, id, { type: 'add', organizationId, ...settings } as never, organizationId),
    )
    return id
  }

  const signIn: OpenIdWorld['signIn'] = (browser, page, name) =>
    browser.send(page, { userName: name, password: PASSWORD }, '/ui/login')

  return {
    ...world,
    url,
    faults,
    served,
    browser: () => openBrowser(url),
    addProject,
    signIn,
    async addApplication(config = {}, given, name = `Application ${world.app.newId()}`) {
      const projectId = given ?? (await addProject())
      const oidcConfiguration = { redirectUris: [REDIRECT_URI], ...config }
      const made = (await call(ApplicationService.method.createApplication, {
        projectId,
        name,
        applicationType: { case: 'oidcConfiguration', value: oidcConfiguration },
      })) as never as { applicationId: string; applicationType: { value: { clientId: string; clientSecret: string } } }
      const { clientId, clientSecret } = made.applicationType.value
      return { id: made.applicationId, projectId, clientId, clientSecret }
    },
    async addApi(projectId) {
      const made = (await call(ApplicationService.method.createApplication, {
        projectId,
        name: `API ${world.app.newId()}`,
        applicationType: { case: 'apiConfiguration', value: {} },
      })) as never as { applicationId: string; applicationType: { value: { clientId: string; clientSecret: string } } }
      const { clientId, clientSecret } = made.applicationType.value
      return { id: made.applicationId, projectId, clientId, clientSecret }
    },
    async addPerson(name, more = {}) {
      const { userId } = await call(UserService.method.addHumanUser, {
        username: name,
        organisation: { org: { case: 'orgId', value: home } },
        profile: { firstName: name, lastName: 'Person' },
        email: { email: `${name}@example.com`, verification: { case: 'isVerified', value: true } },
        passwordType: { case: 'password', value: { password: PASSWORD } },
        ...more,
      })
      return String(userId)
    },
    async serveAnother() {
      const node = await world.another()
      const other = await freePort()
      ports.push(await serve(withFaults(node, faults), other))
      return { url: `http://localhost:${other}`, node }
    },
    async dispose() {
      for (const one of ports) await one.close()
      await world.dispose()
    },
  }
}
