/**
 * Every way to get or to use a token. A way is prepared while everything is active, and tried after something ended; it
 * answers `passes`, or the code of the refusal.
 */
import assert from 'node:assert/strict'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { approveDevice, requireDeviceByUserCode } from '../../src/features/authorization-requests/index.ts'
import type { CallOptions } from '../support/calls.ts'
import { API_SCOPE, createCallback, openSession, startRequest } from '../support/login-page.ts'
import {
  type Answer,
  askToken,
  authorizationUrl,
  authorize,
  basic,
  codeForm,
  introspect,
  type Parameters,
  post,
  refresh,
  signInFor,
  type Tokens,
  userinfo,
} from '../support/openid-flow.ts'
import { assertionOf, type MachineClient } from '../support/openid-keys.ts'
import { type Application, type Browser, type OpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'
import { outcomeOf } from './scene.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const TYPE = 'urn:ietf:params:oauth:token-type:'
const USER_ID = 'urn:zitadel:params:oauth:token-type:user_id'
const SCOPE = `openid profile offline_access ${API_SCOPE}`

/** Somebody with tokens, and the application that they have them at. */
export interface Holder {
  readonly world: OpenIdWorld
  readonly userId: string
  readonly userName: string
  readonly organizationId: string
  /** A browser in which they are signed in. */
  readonly browser: Browser
  readonly machine: MachineClient
  readonly application: Application
  /** One whose access tokens are signed. */
  readonly signing: Application
  /** One with a login page of its own. */
  readonly withLoginPage: Application
  /** How that login page calls. */
  readonly loginPage: CallOptions
  /** An application that nobody ends. */
  readonly bystanding: Application
  /** A token at `bystanding` of somebody who may impersonate everybody. */
  readonly impersonator: Tokens
  /** Somebody whom the holder may impersonate. */
  readonly bystanderId: string
}

export type TryAgain = () => Promise<string>

export interface Way {
  readonly name: string
  /** Whether the way leads through the application; otherwise it depends on the user alone. */
  readonly isThroughApplication: boolean
  prepare(holder: Holder): Promise<TryAgain>
}

/** What became of a request to an endpoint. */
function heard({ status, body, text }: Answer): string {
  assert.ok(status < 500, text)
  if (body.active === false) return 'inactive'
  return status === 200 ? 'passes' : String(body.error)
}

function through(name: string, prepare: Way['prepare']): Way {
  return { name, isThroughApplication: true, prepare }
}

function alone(name: string, prepare: Way['prepare']): Way {
  return { name, isThroughApplication: false, prepare }
}

function signIn({ world, browser, userName }: Holder, application: Application): Promise<Tokens> {
  return signInFor(world, application, { scope: SCOPE }, { browser, name: userName })
}

function exchange({ world }: Holder, application: Application, form: Parameters): Promise<Answer> {
  return askToken(world, application, { grant_type: EXCHANGE, ...form })
}

/** Exchanges one token of a sign-in. */
function exchanging(name: string, kind: 'access_token' | 'id_token', requested: 'access_token' | 'jwt'): Way {
  return through(name, async (holder) => {
    const { application } = holder
    const tokens = await signIn(holder, application)
    const form = {
      subject_token: tokens[kind],
      subject_token_type: TYPE + kind,
      requested_token_type: TYPE + requested,
    }
    return async () => heard(await exchange(holder, application, form))
  })
}

/** A call of our own API. */
function callApi({ world }: Holder, bearer: string): Promise<string> {
  return outcomeOf(world.call(AuthService.method.getMyUser, {}, { bearer }))
}

/** A token of a kind, used in all ways that there are. */
function using(
  what: string,
  make: (name: string, prepare: Way['prepare']) => Way,
  tokenOf: (holder: Holder) => Promise<string>,
  { introspector = ({ application }) => application, hasApi = true }: UseOptions = {},
): readonly Way[] {
  return [
    make(`${what} at userinfo`, async (holder) => {
      const token = await tokenOf(holder)
      return async () => heard(await userinfo(holder.world, token))
    }),
    through(`${what} at introspection`, async (holder) => {
      const token = await tokenOf(holder)
      return async () => heard(await introspect(holder.world, introspector(holder), token))
    }),
    ...(hasApi
      ? [
          make(`${what} at the API`, async (holder) => {
            const token = await tokenOf(holder)
            return () => callApi(holder, token)
          }),
        ]
      : []),
  ]
}

interface UseOptions {
  /** The application that asks about the token. */
  introspector?(holder: Holder): Application
  readonly hasApi?: boolean
}

async function startDevice({ world, application }: Holder) {
  const address = `${world.url}/oauth/v2/device_authorization`
  const { body } = await post(address, { scope: SCOPE }, basic(application))
  const device = await requireDeviceByUserCode(world.app, body.user_code, world.app.clock())
  const poll = { grant_type: DEVICE_CODE, device_code: String(body.device_code) }
  const approve = (sessionId: string) =>
    world.store.write(world.origin(), (work) => approveDevice(world.app, work, device.id, sessionId))
  return { poll, approve }
}

function tokenOfMachine({ world, machine }: Holder): Promise<Answer> {
  const scope = `openid ${API_SCOPE}`
  return post(`${world.url}/oauth/v2/token`, { grant_type: 'client_credentials', scope }, basic(machine))
}

async function addPersonalToken({ world, organizationId, machine: { userId } }: Holder): Promise<string> {
  const there = { ...world.owner, organizationId }
  return (await world.call(ManagementService.method.addPersonalAccessToken, { userId }, there)).token
}

async function exchanged(holder: Holder): Promise<string> {
  const tokens = await signIn(holder, holder.application)
  const form = { subject_token: tokens.access_token, subject_token_type: `${TYPE}access_token` }
  const answer = await exchange(holder, holder.application, form)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.access_token
}

const codes: readonly Way[] = [
  through('authorization code', async ({ world, application, browser, userName }) => {
    const { values } = await authorize(world, application, { scope: SCOPE }, { browser, name: userName })
    return async () => heard(await askToken(world, application, codeForm(values)))
  }),
  through('new code for a signed-in browser', async ({ world, application, browser }) => async () => {
    const stop = await browser.open(authorizationUrl(world, application, { scope: SCOPE }))
    assert.ok(stop.status < 500, stop.text)
    const isBack = stop.url.startsWith(REDIRECT_URI)
    if (isBack && new URL(stop.url).searchParams.has('code')) return 'passes'
    return isBack ? String(new URL(stop.url).searchParams.get('error')) : 'asked to sign in'
  }),
  through('new code through a login page', async ({ world, withLoginPage, loginPage, userId }) => {
    const session = await openSession(world, userId)
    const request = await startRequest(world, withLoginPage, { scope: SCOPE })
    return () => outcomeOf(createCallback(world, loginPage, request, session))
  }),
  through('device code', async (holder) => {
    const { poll, approve } = await startDevice(holder)
    await approve((await openSession(holder.world, holder.userId)).sessionId)
    return async () => heard(await askToken(holder.world, holder.application, poll))
  }),
  through('approval of a device', async (holder) => {
    const { approve } = await startDevice(holder)
    const { sessionId } = await openSession(holder.world, holder.userId)
    return () => outcomeOf(approve(sessionId))
  }),
  through('refresh token', async (holder) => {
    const { refresh_token: token } = await signIn(holder, holder.application)
    return async () => heard(await refresh(holder.world, holder.application, token))
  }),
]

const exchanges: readonly Way[] = [
  exchanging('exchange of an access token', 'access_token', 'access_token'),
  exchanging('exchange of an access token for a signed one', 'access_token', 'jwt'),
  exchanging('exchange of an ID token', 'id_token', 'access_token'),
  exchanging('exchange of an ID token for a signed token', 'id_token', 'jwt'),
  alone('exchange by somebody who impersonates the user', async (holder) => {
    const { userId, bystanding, impersonator } = holder
    const actor = { actor_token: impersonator.access_token, actor_token_type: `${TYPE}access_token` }
    const form = { subject_token: userId, subject_token_type: USER_ID, ...actor }
    return async () => heard(await exchange(holder, bystanding, form))
  }),
  alone('exchange by the user who impersonates somebody', async (holder) => {
    const { bystanding, bystanderId } = holder
    const { id_token: token } = await signIn(holder, bystanding)
    const actor = { actor_token: token, actor_token_type: `${TYPE}id_token` }
    const form = { subject_token: bystanderId, subject_token_type: USER_ID, ...actor }
    return async () => heard(await exchange(holder, bystanding, form))
  }),
]

const ofMachines: readonly Way[] = [
  alone('client credentials', async (holder) => async () => heard(await tokenOfMachine(holder))),
  alone('JWT profile', async ({ world, machine }) => {
    const assertion = await assertionOf(machine.key, machine.userId, world.url)
    const form = { grant_type: JWT_BEARER, scope: 'openid', assertion }
    return async () => heard(await post(`${world.url}/oauth/v2/token`, form))
  }),
]

/** All of them. */
export const ways: readonly Way[] = [
  ...codes,
  ...exchanges,
  ...ofMachines,
  ...using('access token', through, async (holder) => (await signIn(holder, holder.application)).access_token),
  ...using('signed access token', through, async (holder) => (await signIn(holder, holder.signing)).access_token, {
    introspector: ({ signing }) => signing,
  }),
  ...using('exchanged token', through, exchanged),
  through('refresh token at introspection', async (holder) => {
    const { refresh_token: token = '' } = await signIn(holder, holder.application)
    return async () => heard(await introspect(holder.world, holder.application, token))
  }),
  ...using('personal access token', alone, addPersonalToken),
  alone('token of a machine at userinfo', async (holder) => {
    const token = (await tokenOfMachine(holder)).body.access_token
    return async () => heard(await userinfo(holder.world, token))
  }),
  alone('token of a machine at the API', async (holder) => {
    const token = (await tokenOfMachine(holder)).body.access_token
    return () => callApi(holder, token)
  }),
  alone('session token at the API', async (holder) => {
    const { sessionToken } = await openSession(holder.world, holder.userId)
    return () => callApi(holder, sessionToken)
  }),
]
