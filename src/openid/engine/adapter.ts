/**
 * Where the OpenID engine keeps its objects: codes and tokens in grants, waiting requests and devices in
 * authorization-requests. The engine gives each object by its model name and id; codes and tokens come as plain text and
 * are stored as hashes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '@bufbuild/protobuf'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { App } from '../../access/app.ts'
import { grantTokens, hashSecret } from '../../crypto/tokens.ts'
import {
  approvedGrant,
  deviceIdOf,
  findDevice,
  findPushed,
  findRequest,
  finishRequest,
  pushRequest,
  redeemDevice,
  startDevice,
  startRequest,
  takePushed,
  type WaitingRequest,
} from '../../features/authorization-requests/index.ts'
import {
  findAccessToken,
  findCode,
  findRefreshToken,
  grants,
  issueAccessToken,
  issueRefreshToken,
  openGrant,
  redeemCode,
  revokeAccessToken,
  revokeGrant,
  takeRefreshToken,
  validGrant,
} from '../../features/grants/index.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { originOf } from '../origin.ts'
import { unmetLevel } from './level.ts'
import { errors } from './library.ts'
import { accessPayload, codePayload, devicePayload, grantPayload, refreshPayload } from './payloads.ts'

/** Separates the start of a flow from the engine's own id of it. */
const FLOW_MARK = '~'

function milliseconds(time: number | undefined): Instant {
  return instant((time ?? 0) * 1000)
}

/** Refusals of the modules as errors of OAuth 2.0. */
export async function translated<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.code.startsWith('grant.') || error.code.startsWith('device_authorization.')) {
      throw new errors.InvalidGrant(error.message)
    }
    if (error.code === 'authorization_request.acr_unmet') throw unmetLevel(error.message)
    if (error.code.startsWith('authorization_request.')) throw new errors.AccessDenied(error.message)
    if (error.kind === 'unavailable' || error.kind === 'exhausted') {
      throw new errors.CustomOIDCProviderError('temporarily_unavailable', error.message)
    }
    throw error
  }
}

/** What the adapters need of the request in progress. */
export interface CurrentRequest {
  /** User ID of the login client that the caller names. */
  loginClientId(): string
  /** Throws when too many users who are not signed in start requests from one source. */
  limitUsers(): void
  /** Throws when too many requests of clients that need not authenticate come from one source. */
  limitClients(): void
}

/** What an object of one model can do in the store. */
interface Keeper {
  upsert?(id: string, payload: AdapterPayload): Promise<void>
  find?(id: string): Promise<AdapterPayload | undefined>
  consume?(id: string): Promise<void>
  destroy?(id: string): Promise<void>
}

function codes(app: App): Keeper {
  return {
    async upsert(id, payload) {
      const { grantId = '', clientId = '', scope = '', nonce, claims, sessionUid = '' } = payload
      const hash = hashSecret(grantTokens.authorization_code.parse(id)?.secret ?? '')
      const code = {
        secret: { hash },
        redirectUri: payload.redirectUri ?? '',
        ...(payload.codeChallenge !== undefined && { codeChallenge: payload.codeChallenge }),
        ...(payload.dpopJkt !== undefined && { dpopKey: payload.dpopJkt as string }),
        issuedAt: milliseconds(payload.iat),
        expiresAt: milliseconds(payload.exp),
      }
      const asked = { clientId, scope, nonce, claims: claims && JSON.stringify(claims) }
      await app.store.write(originOf(app, payload.accountId), async (work) => {
        const subject = await approvedGrant(app, work, asked, sessionUid, work.origin.at)
        await openGrant(app, work, grantId, subject, { code })
      })
    },
    async find(id) {
      const found = await findCode(app, id)
      const valid = found && (await validGrant(app, found.grant, app.clock()))
      return found && valid && codePayload(id, found)
    },
    async consume(id) {
      const parsed = grantTokens.authorization_code.parse(id)
      await redeemCode(app, originOf(app), parsed?.tokenId ?? '')
    },
  }
}

/** The token of an issued payload, as grants store it. */
function issued(kind: 'access_token' | 'refresh_token', id: string, payload: AdapterPayload) {
  return {
    secret: { hash: hashSecret(grantTokens[kind].parse(id)?.secret ?? '') },
    scope: payload.scope ?? '',
    grantType: payload.gty ?? '',
    ...(payload.jkt !== undefined && { dpopKey: payload.jkt }),
    issuedAt: milliseconds(payload.iat),
    expiresAt: milliseconds(payload.exp),
  }
}

function accessTokens(app: App): Keeper {
  return {
    upsert: (id, payload) =>
      issueAccessToken(
        app,
        originOf(app, payload.accountId),
        payload.grantId ?? '',
        issued('access_token', id, payload),
      ),
    async find(id) {
      const found = await findAccessToken(app, id, app.clock())
      return found && accessPayload(id, found)
    },
    async destroy(id) {
      const found = await findAccessToken(app, id, app.clock())
      if (found !== undefined) await revokeAccessToken(app, originOf(app), found.grant.id)
    },
  }
}

function refreshTokens(app: App): Keeper {
  return {
    upsert: (id, payload) =>
      issueRefreshToken(
        app,
        originOf(app, payload.accountId),
        payload.grantId ?? '',
        issued('refresh_token', id, payload),
      ),
    async find(id) {
      const found = await findRefreshToken(app, id)
      const valid = found && (await validGrant(app, found.grant, app.clock(), { survivesLogout: true }))
      return found && valid && refreshPayload(id, found)
    },
    async consume(id) {
      const parsed = grantTokens.refresh_token.parse(id)
      if (parsed !== undefined) await takeRefreshToken(app, originOf(app), parsed.tokenId, parsed.secret)
    },
    async destroy(id) {
      const found = await findRefreshToken(app, id)
      const reason = found?.isUsed === true ? 'refresh_token_reused' : 'requested'
      if (found !== undefined) await revokeGrant(app, originOf(app), found.grant.id, reason)
    },
  }
}

/** What the user answered, as the engine expects it. */
function resultOf({ isDenied, chosenSessionId }: WaitingRequest) {
  if (isDenied === true) {
    return { result: { error: 'access_denied', error_description: 'The user denied the request.' } }
  }
  return chosenSessionId === undefined ? {} : { result: { select_account: { sessionId: chosenSessionId } } }
}

function interactions(app: App, current: CurrentRequest): Keeper {
  return {
    async upsert(id, payload) {
      current.limitUsers()
      const cid = String(payload.cid ?? '')
      const [known = '', own = ''] = cid.includes(FLOW_MARK) ? cid.split(FLOW_MARK, 2) : ['', cid]
      const flowStartedAt = known === '' ? app.clock() : instant(Number(known))
      // The session may be another one when the user returns: they can sign in as another user.
      const { session: _, ...kept } = payload
      const stored = { ...kept, cid: `${flowStartedAt}${FLOW_MARK}${own}` } as unknown as JsonObject
      await startRequest(app, originOf(app), id, {
        clientId: String(payload.params?.client_id ?? ''),
        payload: stored,
        flowStartedAt,
        loginClientId: current.loginClientId(),
        expiresAt: milliseconds(payload.exp),
      })
    },
    async find(id) {
      const request = await findRequest(app, id, app.clock())
      if (request?.state.status !== 'waiting') return undefined
      return { ...request.state.payload, ...resultOf(request.state) } as AdapterPayload
    },
    destroy: (id) => finishRequest(app, originOf(app), id),
  }
}

function pushedRequests(app: App, current: CurrentRequest): Keeper {
  return {
    upsert(id, payload) {
      current.limitClients()
      const stored = payload as unknown as JsonObject
      return pushRequest(app, originOf(app), hashSecret(id), stored, milliseconds(payload.exp))
    },
    async find(id) {
      const found = await findPushed(app, hashSecret(id))
      if (found === undefined) return undefined
      return { ...found.payload, ...(found.isUsed && { consumed: true }) } as AdapterPayload
    },
    consume: (id) => takePushed(app, originOf(app), hashSecret(id)),
    destroy: (id) => takePushed(app, originOf(app), hashSecret(id)),
  }
}

function devices(app: App, current: CurrentRequest): Keeper {
  return {
    async upsert(id, payload) {
      current.limitClients()
      const { clientId = '', params = {}, userCode = '' } = payload
      const scope = String((params as Readonly<Record<string, unknown>>).scope ?? '')
      await startDevice(app, originOf(app), id, {
        clientId,
        scope,
        payload: params as JsonObject,
        userCode,
        startedAt: milliseconds(payload.iat),
        expiresAt: milliseconds(payload.exp),
      })
    },
    async find(id) {
      const device = await findDevice(app, deviceIdOf(id))
      const grant = device?.state.grantId === undefined ? undefined : await app.store.get(grants, device.state.grantId)
      return device && devicePayload(id, device.state, grant)
    },
    consume: (id) => redeemDevice(app, originOf(app), deviceIdOf(id)),
  }
}

function grantKeeper(app: App): Keeper {
  return {
    async find(id) {
      const grant = await app.store.get(grants, id)
      return grant?.state.status === 'open' ? grantPayload(id, grant.state) : undefined
    },
    destroy: (id) => revokeGrant(app, originOf(app), id, 'requested'),
  }
}

/** How long nothing was written to a grant before the answer of an earlier request counts as complete. */
const QUIET_MS = 500

/**
 * Revokes a grant because a code or refresh token of it was used again. The first of two requests at once is still being
 * answered and writes to the grant: it gets its tokens, and they are revoked afterwards.
 */
async function revokeReused(app: App, grantId: string): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const grant = await app.store.get(grants, grantId)
    if (grant?.state.status !== 'open') return
    const { access, refresh, usedRefresh } = grant.state
    const isQuiet = app.clock() - grant.changedAt >= QUIET_MS
    if (isQuiet && (access !== undefined || refresh !== undefined)) {
      await revokeGrant(app, originOf(app), grantId, usedRefresh.length > 0 ? 'refresh_token_reused' : 'code_reused')
      return
    }
    // A code without tokens whose answer never came stays without them: it counts no more.
    if (isQuiet) return
    await sleep(QUIET_MS / 5)
  }
}

/** The adapters of all models. `findClient` looks applications up. */
export function adaptersOf(
  app: App,
  findClient: (id: string) => Promise<AdapterPayload | undefined>,
  current: CurrentRequest,
): (model: string) => Adapter {
  const keepers: Readonly<Record<string, Keeper>> = {
    AuthorizationCode: codes(app),
    AccessToken: accessTokens(app),
    RefreshToken: refreshTokens(app),
    Interaction: interactions(app, current),
    PushedAuthorizationRequest: pushedRequests(app, current),
    DeviceCode: devices(app, current),
    Grant: grantKeeper(app),
    Client: { find: findClient },
  }
  return (model) => {
    const keeper = keepers[model] ?? {}
    const unused = async () => undefined
    return {
      upsert: (id, payload) => translated(async () => keeper.upsert?.(id, payload)),
      find: (id) => translated(async () => keeper.find?.(id)),
      consume: (id) => translated(async () => keeper.consume?.(id)),
      destroy: (id) => translated(async () => keeper.destroy?.(id)),
      revokeByGrantId: (grantId) => revokeReused(app, grantId),
      findByUserCode: unused,
      findByUid: unused,
    }
  }
}
