/** Every token that an attacker controls after some steps, with the way on which they got it. */
import { createPrivateKey } from 'node:crypto'
import type { JsonValue } from '@bufbuild/protobuf'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { applications } from '../../src/features/applications/index.ts'
import { passwords } from '../../src/features/passwords/documents.ts'
import { API_SCOPE, askForToken } from '../support/login-page.ts'
import { authorizationUrl, CHALLENGE, VERIFIER } from '../support/openid-flow.ts'
import { assertionOf } from '../support/openid-keys.ts'
import { unlessRefused } from './powers.ts'
import { signInAtProviders } from './provider-sign-ins.ts'
import { OWN_PASSWORD, OWN_REDIRECT, type Step } from './steps.ts'
import { type Arena, type Neighbourhood, OWN_DOMAIN, type Person, users } from './world.ts'

export interface Controlled {
  /** `the link of an application, opened by ORG_OWNER` */
  readonly way: string
  readonly bearer: string
}

const SCOPE = `openid offline_access ${API_SCOPE}`
/** Shorter texts are no tokens. */
const SHORTEST_TOKEN = 20
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:'
const USER_ID = 'urn:zitadel:params:oauth:token-type:user_id'
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

interface Told {
  readonly texts: ReadonlySet<string>
  readonly codes: ReadonlySet<string>
  readonly secrets: ReadonlySet<string>
  readonly clients: readonly { readonly clientId: string; readonly clientSecret: string }[]
  readonly keys: readonly string[]
}

/** Everything that the replies have told. */
function toldIn(steps: readonly Step[]): Told {
  const [texts, codes, secrets] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const clients: Told['clients'][number][] = []
  const keys: string[] = []
  const read = (name: string, value: JsonValue): void => {
    if (typeof value === 'string') {
      texts.add(value)
      if (/code$/i.test(name)) codes.add(value)
      if (/secret$/i.test(name)) secrets.add(value)
      if (/^key(Details|Content)$/.test(name)) keys.push(value)
    } else if (typeof value === 'object' && value !== null) {
      const { clientId, clientSecret } = value as Record<string, JsonValue>
      if (typeof clientId === 'string' && typeof clientSecret === 'string') clients.push({ clientId, clientSecret })
      for (const [inner, one] of Object.entries(value)) read(Array.isArray(value) ? name : inner, one)
    }
  }
  for (const { reply } of steps) read('', reply)
  return { texts, codes, secrets, clients, keys }
}

/** The codes in mails that reach the attacker: in their mailbox, or in a link that leads to them when it is opened. */
async function mailedCodes(arena: Arena): Promise<readonly string[]> {
  const mails = await arena.outbox()
  return mails.flatMap(({ data, values }) => {
    const { code, link } = values as { readonly code?: string; readonly link?: string }
    const isMine = String(data.to).includes(OWN_DOMAIN) || link?.includes(OWN_DOMAIN) === true
    return isMine && code !== undefined ? [code] : []
  })
}

/** The attacker shows every code for everybody, to set a password. */
async function useCodes(
  { call }: Arena,
  { attacker }: Neighbourhood,
  above: readonly Person[],
  codes: Iterable<string>,
) {
  const newPassword = { password: OWN_PASSWORD }
  for (const code of codes) {
    for (const { userId } of above) {
      const verification = { case: 'verificationCode', value: code } as const
      await unlessRefused(call(users.setPassword, { userId, newPassword, verification }, attacker.session))
    }
  }
}

/** A session of somebody who gives the password that the attacker has set. Where none was set, a wrong one would lock them. */
async function withPassword({ call, login, store }: Arena, { userId }: Person): Promise<string | undefined> {
  const set = await store.events({ kinds: [passwords.name], types: ['password.set.v1'], id: userId, limit: 2 })
  if (set.length < 2) return undefined
  const { createSession } = SessionService.method
  const user = { search: { case: 'userId', value: userId } } as const
  const checks = { user, password: { password: OWN_PASSWORD } }
  return (await unlessRefused(call(createSession, { checks }, login)))?.sessionToken
}

async function tokenOf(arena: Arena, client: { clientId: string; clientSecret: string }, form: Record<string, string>) {
  const { body } = await askForToken(arena.url, client, form)
  return body.access_token
}

/** What machines get that the attacker has credentials of. */
async function machineTokens(arena: Arena, { clients, keys }: Told): Promise<readonly Controlled[]> {
  const found: Controlled[] = []
  for (const client of clients) {
    const bearer = await tokenOf(arena, client, { grant_type: 'client_credentials', scope: `openid ${API_SCOPE}` })
    if (bearer !== undefined) found.push({ way: 'a secret of a machine', bearer })
  }
  for (const key of keys) {
    const file = JSON.parse(Buffer.from(key, 'base64').toString()) as Record<'keyId' | 'key' | 'userId', string>
    if (!file.userId) continue
    const own = { keyId: file.keyId, privateKey: createPrivateKey(file.key) }
    const assertion = await assertionOf(own, file.userId, arena.url)
    const form = { grant_type: JWT_BEARER, assertion, scope: `openid ${API_SCOPE}` }
    const bearer = await tokenOf(arena, { clientId: '', clientSecret: '' }, form)
    if (bearer !== undefined) found.push({ way: 'a key of a machine', bearer })
  }
  return found
}

interface OwnApplication {
  readonly clientId: string
  readonly clientSecret: string
}

/** Applications whose redirect URI leads to the attacker. */
async function applicationsOf({ store }: Arena, owners: readonly string[]): Promise<readonly string[]> {
  const { documents } = await store.find(applications, { where: { field: 'owner', in: [...owners] }, limit: 100 })
  return documents.flatMap(({ state }) => {
    const isMine = 'config' in state && state.config.type === 'oidc' && state.config.redirectUris.includes(OWN_REDIRECT)
    return isMine && 'clientId' in state ? [state.clientId] : []
  })
}

/** Somebody opens the link of an application, and sees no page that they would have to answer. */
async function openLink(arena: Arena, clientId: string, secrets: Iterable<string>, { browser }: Person) {
  const parameters = {
    redirect_uri: OWN_REDIRECT,
    scope: SCOPE,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  }
  const stop = await browser.open(authorizationUrl(arena, { clientId }, parameters))
  if (!stop.url.startsWith(OWN_REDIRECT)) return undefined
  const code = new URL(stop.url).searchParams.get('code')
  if (code === null) return undefined
  const form = { grant_type: 'authorization_code', code, redirect_uri: OWN_REDIRECT, code_verifier: VERIFIER }
  for (const clientSecret of ['', ...secrets]) {
    const bearer = await tokenOf(
      arena,
      { clientId, clientSecret },
      clientSecret === '' ? { ...form, client_id: clientId } : form,
    )
    if (bearer !== undefined) return { bearer, application: { clientId, clientSecret } satisfies OwnApplication }
  }
  return undefined
}

/** What the applications of the attacker get: from themself, from everybody above who opens a link, and by exchange. */
async function applicationTokens(
  arena: Arena,
  { attacker, organizations }: Neighbourhood,
  above: readonly Person[],
  { secrets }: Told,
): Promise<readonly Controlled[]> {
  const found: Controlled[] = []
  for (const clientId of await applicationsOf(arena, Object.values(organizations))) {
    let own: Awaited<ReturnType<typeof openLink>>
    for (const person of [attacker, ...above]) {
      const opened = await openLink(arena, clientId, secrets, person)
      if (opened === undefined) continue
      found.push({ way: `the link of an application, opened by ${person.name}`, bearer: opened.bearer })
      if (person === attacker) own = opened
    }
    if (own === undefined) continue
    for (const { name, userId } of above) {
      const exchanged = await tokenOf(arena, own.application, {
        ...{ grant_type: EXCHANGE, subject_token: userId, subject_token_type: USER_ID, scope: SCOPE },
        ...{ actor_token: own.bearer, actor_token_type: `${TOKEN_TYPE}access_token` },
      })
      if (exchanged !== undefined) found.push({ way: `token exchange for ${name}`, bearer: exchanged })
    }
  }
  return found
}

/** All of them. `above` are those who may do more than the attacker could in the beginning. */
export async function controlledTokens(
  arena: Arena,
  around: Neighbourhood,
  steps: readonly Step[],
  above: readonly Person[],
): Promise<readonly Controlled[]> {
  const told = toldIn(steps)
  const found: Controlled[] = [{ way: 'their own token', bearer: around.attacker.session.bearer ?? '' }]
  for (const text of told.texts) {
    if (text.length < SHORTEST_TOKEN || text.includes(' ')) continue
    if ((await unlessRefused(arena.call(AuthService.method.getMyUser, {}, { bearer: text }))) !== undefined) {
      found.push({ way: 'a token in an answer', bearer: text })
    }
  }
  found.push(...(await machineTokens(arena, told)))
  found.push(...(await signInAtProviders(arena, around, above)))
  found.push(...(await applicationTokens(arena, around, above, told)))
  await useCodes(arena, around, above, new Set([...told.codes, ...(await mailedCodes(arena))]))
  for (const person of above) {
    const bearer = await withPassword(arena, person)
    if (bearer !== undefined) found.push({ way: `the password of ${person.name}`, bearer })
  }
  return found
}
