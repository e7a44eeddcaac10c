/** A real Signet for the tests of an app: started in seconds, with users, apps, tokens, mail and a clock that moves. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type Answer, type Asked, sender, signInFor } from './flow.ts'
import type { BrowserPage, GivenApp, GivenUser, Mail, StartOptions, TestApp, TestUser, Tokens } from './types.ts'

export type * from './types.ts'

export type TestSignet = Awaited<ReturnType<typeof startSignet>>

interface Ready {
  readonly url: string
  readonly adminToken: string
  readonly loginToken: string
  readonly inboxKey: string
}

const LONGEST_START_MS = 60_000

/** Starts it; rejects with what it said when it does not start. */
function launch({ command = ['signet'], clock }: StartOptions) {
  const asked = clock === undefined ? [] : ['--clock', clock]
  const [program = '', ...words] = [...command, 'test-server', '--json', ...asked]
  // It ends when the pipe does: with this process at the latest.
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] })
  const ready = new Promise<Ready>((resolve, reject) => {
    let [out, err] = ['', '']
    const fail = (reason: string) => reject(new Error(`The test server did not start: ${reason} ${err}`.trim()))
    const timer = setTimeout(() => fail('it takes too long.'), LONGEST_START_MS)
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.stdout.on('data', (chunk) => {
      out += chunk
      if (!out.includes('\n')) return
      clearTimeout(timer)
      resolve(JSON.parse(out))
    })
    child.once('error', ({ message }) => fail(message))
    child.once('close', (code) => {
      clearTimeout(timer)
      fail(`it ended with ${code}.`)
    })
  })
  return { child, ready }
}

type Call = (path: string, body?: object, organizationId?: string) => Promise<Answer>

/** Names that are taken once. */
function counter() {
  let count = 0
  return (name: string) => `${name}-${++count}`
}

/** One organization after another: with it, everything in it is removed in one step. */
async function openOrganizations(call: Call, unique: (name: string) => string) {
  const create = async () => String((await call('/v2/organizations', { name: unique('Tests') })).organizationId)
  let id = await create()
  return {
    current: () => id,
    async renew(): Promise<void> {
      const before = id
      id = await create()
      await call('/signet.org.v2.OrganizationService/DeleteOrganization', { organizationId: before })
    },
  }
}

function makers(call: Call, unique: (name: string) => string, organization: () => string) {
  return {
    /** A user who can sign in with the password. */
    async createUser(given: GivenUser = {}): Promise<TestUser> {
      const { email = `${unique('user')}@example.com`, givenName = 'Ada', familyName = 'Lovelace' } = given
      const password = `Test ${randomBytes(12).toString('base64url')} 1a`
      const profile = { givenName, familyName }
      const user = { username: email, profile, email: { email, isVerified: true }, password: { password } }
      const { userId } = await call('/v2/users/human', { ...user, organization: { orgId: organization() } })
      return { userId: String(userId), email, password }
    },
    /** A web app with a secret, in a project of its own. */
    async createApp({
      redirectUri = 'http://localhost:3000/callback',
      resources = [],
    }: GivenApp = {}): Promise<TestApp> {
      const { id: projectId } = await call('/management/v1/projects', { name: unique('Project') }, organization())
      const all = { projectId, resources: resources.map((uri) => ({ uri })) }
      if (resources.length > 0) await call('/signet.project.v2.ProjectService/SetProjectResources', all)
      const uris = { redirectUris: [redirectUri], postLogoutRedirectUris: [`${new URL(redirectUri).origin}/`] }
      const path = '/signet.application.v2.ApplicationService/CreateApplication'
      const created = await call(path, { projectId, name: unique('App'), oidcConfiguration: uris })
      const { clientId = '', clientSecret = '' } = created.oidcConfiguration as Readonly<Record<string, string>>
      return { clientId, clientSecret, projectId: String(projectId), redirectUri }
    },
  }
}

async function loginClientOf(call: Call): Promise<string> {
  const { result = [] } = await call('/v2/users', { queries: [{ userNameQuery: { userName: 'test-login' } }] })
  return (result as readonly { readonly userId: string }[])[0]?.userId ?? ''
}

/** Starts a server that has nothing in it. */
export async function startSignet(options: StartOptions = {}) {
  const { child, ready } = launch(options)
  const { url, adminToken, loginToken, inboxKey } = await ready
  const send = sender(url)
  const call: Call = (path, body = {}, organizationId) => send(adminToken, path, body, organizationId)
  const unique = counter()
  const organizations = await openOrganizations(call, unique)
  const flow = { url, send, loginToken, loginClient: await loginClientOf(call) }
  return {
    url,
    adminToken,
    inboxUrl: `${url}/inbox?key=${inboxKey}`,
    /** Calls a method of the API as the administrator, in the first organization or in another. */
    call,
    /** The organization that users and apps are made in. */
    get organizationId(): string {
      return organizations.current()
    },
    ...makers(call, unique, organizations.current),
    /** Removes the organization with all users, projects, apps, sessions and tokens in it, and makes a new one. */
    reset: (): Promise<void> => organizations.renew(),
    /** What the app gets when the user signs in: by the real code flow, without a browser. */
    tokensFor: (user: TestUser, app: TestApp, asked: Asked = {}): Promise<Tokens> => signInFor(flow, user, app, asked),
    /** Fills in the sign-in page that a page of Playwright shows. */
    async signIn(page: BrowserPage, { email, password }: TestUser): Promise<void> {
      await page.getByLabel('Username').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    },
    /** The next mail to an address; waits for it. */
    async mail(recipient: string, afterId?: string): Promise<Mail> {
      const body = { recipient, ...(afterId !== undefined && { afterId }) }
      return (await call('/v2/mails/inbox/_wait', body)).mail as Mail
    },
    /** Moves the clock of the server forward. */
    async advance(seconds: number): Promise<Date> {
      return new Date(String((await call('/test/clock', { advance: seconds })).now))
    },
    async stop(): Promise<void> {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.stdin.end()
      await ended
    },
  }
}
