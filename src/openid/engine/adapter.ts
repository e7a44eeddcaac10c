/**
 * Where the OpenID engine keeps its objects: codes and tokens in grants, waiting requests and devices in
 * authorization-requests. The engine gives each object by its model name and id; codes and tokens come as plain text and
 * are stored as hashes.
 */
import type { JsonObject } from '@bufbuild/protobuf'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { grantTokens, hashSecret } from '../../crypto/tokens.ts'
import {
  approvalIdOf,
  approvedGrant,
  deviceIdOf,
  findApproval,
  findDevice,
  findPushed,
  findRequest,
  finishRequest,
  pushRequest,
  startApproval,
  startDevice,
  startRequest,
  takePushed,
  type WaitingRequest,
} from '../../features/authorization-requests/index.ts'
import {
  type FoundSecret,
  findAccessToken,
  findCode,
  findRefreshToken,
  grants,
  type IssuedToken,
  noticeReuse,
  openGrant,
  validGrant,
} from '../../features/grants/index.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { describable, tooManyRequests } from '../answers.ts'
import { originOf } from '../origin.ts'
import { unmetLevel } from './level.ts'
import { flowStartOf, withFlowStart } from './library/flow-start.ts'
import { errors } from './library/index.ts'
import { accessPayload, approvalPayload, codePayload, devicePayload, grantPayload, refreshPayload } from './payloads.ts'
import type { TokenRequest } from './token-request.ts'

function milliseconds(time: number | undefined): Instant {
  return instant((time ?? 0) * 1000)
}

/** Refusals of the modules as errors of OAuth 2.0. */
export async function translated<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // In the words of the engine for a user who does not exist: why the user cannot be asked is not told.
    if (error.code === 'backchannel_request.user_unknown') throw new errors.UnknownUserId('could not identify end-user')
    // A person who is asked too often; also by others, so the application learns no more than that.
    if (error.code === 'store.limit_reached') throw tooManyRequests()
    if (error.code.startsWith('grant.') || error.code.startsWith('device_authorization.')) {
      throw new errors.InvalidGrant(error.message)
    }
    if (error.code === 'authorization_request.resource_unknown') throw new errors.InvalidTarget(error.message)
    if (error.code === 'authorization_request.acr_unmet') throw unmetLevel(error.message)
    if (error.code === 'execution.target_failed') throw new errors.AccessDenied(describable(error.message))
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
  /** What the request uses up and gets at the token endpoint. */
  tokens(): TokenRequest
  /** Whether the client is a public one: it does not authenticate. */
  isPublic(): boolean
  /** Whether the tokens of the client must be bound to a key of its own. */
  requiresDpop(): boolean
  /** The `authorization_details` of an authorization request. */
  details(): { readonly text: string; readonly requestId: string } | undefined
}

/** What an object of one model can do in the store. */
interface Keeper {
  upsert?(id: string, payload: AdapterPayload): Promise<void>
  find?(id: string): Promise<AdapterPayload | undefined>
  consume?(id: string): Promise<void>
  destroy?(id: string): Promise<void>
}

function codes(app: App, current: CurrentRequest): Keeper {
  return {
    async upsert(id, payload) {
      const { grantId = '', clientId = '', scope = '', nonce, claims, sessionUid = '' } = payload
      const [resource] = [payload.resource].flat()
      const hash = hashSecret(grantTokens.authorization_code.parse(id)?.secret ?? '')
      const code = {
        secret: { hash },
        redirectUri: payload.redirectUri ?? '',
        ...(payload.codeChallenge !== undefined && { codeChallenge: payload.codeChallenge }),
        ...(payload.dpopJkt !== undefined && { dpopKey: payload.dpopJkt as string }),
        issuedAt: milliseconds(payload.iat),
        expiresAt: milliseconds(payload.exp),
      }
      const details = current.details()
      const { redirectUri } = code
      const asked = { clientId, scope, nonce, claims: claims && JSON.stringify(claims), resource, details, redirectUri }
      await app.store.write(originOf(app, payload.accountId), async (work) => {
        const subject = await approvedGrant(app, work, asked, sessionUid, work.origin.at)
        await openGrant(app, work, grantId, subject, { code })
      })
    },
    async find(id) {
      const found = await findCode(app, id)
      const valid = found && (await validGrant(app, found.grant, app.clock()))
      if (found === undefined || valid === undefined || found.grant.state.subject.isTrial) return undefined
      current.tokens().shows = { grantId: found.grant.id, once: 'code' }
      return codePayload(id, found)
    },
    async consume() {
      current.tokens().uses = 'code'
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

function accessTokens(app: App, current: CurrentRequest): Keeper {
  return {
    async upsert(id, payload) {
      Object.assign(current.tokens(), of(payload), { access: issued('access_token', id, payload) })
    },
    async find(id) {
      const found = await findAccessToken(app, id, app.clock())
      return found && accessPayload(id, found)
    },
  }
}

/** Whose tokens are issued. */
function of({ grantId = '', accountId }: AdapterPayload) {
  return { grantId, userId: accountId }
}

/**
 * A refresh token, with the key that it counts with. Only refresh tokens of public clients are bound to one (RFC 9449 §5): other
 * clients authenticate, and may change their keys. Undefined for one that lacks the key that it needs.
 */
function boundRefresh(found: FoundSecret<IssuedToken>, current: CurrentRequest): FoundSecret<IssuedToken> | undefined {
  if (current.isPublic()) return current.requiresDpop() && found.issued.dpopKey === undefined ? undefined : found
  const { dpopKey: _, ...issued } = found.issued
  return { ...found, issued }
}

function refreshTokens(app: App, current: CurrentRequest): Keeper {
  return {
    async upsert(id, payload) {
      Object.assign(current.tokens(), of(payload), { refresh: issued('refresh_token', id, payload) })
    },
    async find(id) {
      const stored = await findRefreshToken(app, id)
      const found = stored && boundRefresh(stored, current)
      const valid = found && (await validGrant(app, found.grant, app.clock(), { survivesLogout: true }))
      if (found === undefined || valid === undefined) return undefined
      current.tokens().shows = { grantId: found.grant.id, once: { refreshSecret: secretOf(id) } }
      return refreshPayload(id, found)
    },
    async consume(id) {
      current.tokens().uses = { refreshSecret: secretOf(id) }
    },
  }
}

function secretOf(id: string): Uint8Array {
  return grantTokens.refresh_token.parse(id)?.secret ?? new Uint8Array()
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
      const now = app.clock()
      // The session may be another one when the user returns: they can sign in as another user.
      const { session: _, ...kept } = withFlowStart(payload, now)
      const stored = kept as unknown as JsonObject
      const flowStartedAt = flowStartOf(kept) ?? now
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
      return { ...request.state.secret.payload, ...resultOf(request.state) } as AdapterPayload
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
      if (grant !== undefined) current.tokens().shows = { grantId: grant.id, once: 'code' }
      return device && devicePayload(id, device.state, grant)
    },
    async consume(id) {
      current.tokens().deviceId = deviceIdOf(id)
    },
  }
}

function approvals(app: App, current: CurrentRequest): Keeper {
  return {
    async upsert(id, payload) {
      const { clientId = '', accountId: userId = '', scope = '', claims, params = {} } = payload
      const [resource] = [payload.resource].flat()
      const { binding_message: message, client_notification_token: token } = params as Readonly<Record<string, string>>
      await startApproval(app, originOf(app), id, {
        clientId,
        userId,
        scope,
        bindingMessage: message ?? '',
        claims: claims && JSON.stringify(claims),
        resource,
        notificationToken: token,
        lifetimeMs: milliseconds(payload.exp) - milliseconds(payload.iat),
      })
    },
    async find(id) {
      const found = await findApproval(app, approvalIdOf(id))
      const grant = found?.state.grantId === undefined ? undefined : await app.store.get(grants, found.state.grantId)
      if (grant !== undefined) current.tokens().shows = { grantId: grant.id, once: 'code' }
      return found && approvalPayload(id, found.state, grant, app.clock())
    },
    async consume(id) {
      current.tokens().approvalId = approvalIdOf(id)
    },
  }
}

function grantKeeper(app: App): Keeper {
  return {
    async find(id) {
      const grant = await app.store.get(grants, id)
      return grant?.state.status === 'open' ? grantPayload(id, grant.state) : undefined
    },
  }
}

/**
 * A code or refresh token of a grant was shown that had been used before. The engine tells that to the adapter of every
 * model; one of them is enough.
 */
async function revokeReused(app: App, model: string, current: CurrentRequest): Promise<void> {
  const { shows, startedAt } = current.tokens()
  if (model !== 'AccessToken' || shows === undefined) return
  await noticeReuse(app, originOf(app), shows.grantId, shows.once, startedAt)
}

/** The adapters of all models. `findClient` looks applications up. */
export function adaptersOf(
  app: App,
  findClient: (id: string) => Promise<AdapterPayload | undefined>,
  current: CurrentRequest,
): (model: string) => Adapter {
  const keepers: Readonly<Record<string, Keeper>> = {
    AuthorizationCode: codes(app, current),
    AccessToken: accessTokens(app, current),
    RefreshToken: refreshTokens(app, current),
    Interaction: interactions(app, current),
    PushedAuthorizationRequest: pushedRequests(app, current),
    DeviceCode: devices(app, current),
    BackchannelAuthenticationRequest: approvals(app, current),
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
      revokeByGrantId: () => revokeReused(app, model, current),
      findByUserCode: unused,
      findByUid: unused,
    }
  }
}
