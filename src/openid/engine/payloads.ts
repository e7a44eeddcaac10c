/** Grants and devices in the form of the engine's own objects. Times are in seconds there. */
import type { AdapterPayload } from 'oidc-provider'
import type { StartedApproval, StartedDevice } from '../../features/authorization-requests/index.ts'
import type { FoundSecret, IssuedToken, OpenGrant, ValidAccessToken } from '../../features/grants/index.ts'
import type { Instant } from '../../kernel/instant.ts'
import { resourceKey } from '../../kernel/resource-key.ts'
import type { Document } from '../../store/index.ts'
import { seconds } from '../tokens.ts'

type Claims = NonNullable<AdapterPayload['claims']>

/** What codes and tokens have in common. */
function common(grantId: string, { subject }: OpenGrant) {
  return {
    grantId,
    accountId: subject.userId,
    clientId: subject.clientId,
    ...(subject.sessionId !== '' && { sessionUid: subject.sessionId }),
    ...(subject.resource !== undefined && { resource: resourceKey(subject.resource.uri) }),
    ...(subject.claims !== undefined && { claims: JSON.parse(subject.claims) as Claims }),
  }
}

/** What the engine knows about the sign-in. */
function signIn({ subject }: OpenGrant) {
  return {
    authTime: seconds(subject.authenticatedAt),
    amr: [...subject.amr],
    acr: subject.acr,
    ...subject.secret,
  }
}

export function codePayload(id: string, found: FoundSecret<NonNullable<OpenGrant['code']>>): AdapterPayload {
  const { grant, issued, isUsed } = found
  return {
    jti: id,
    kind: 'AuthorizationCode',
    ...common(grant.id, grant.state),
    ...signIn(grant.state),
    scope: grant.state.subject.scope,
    redirectUri: issued.redirectUri,
    ...(issued.codeChallenge !== undefined && { codeChallenge: issued.codeChallenge, codeChallengeMethod: 'S256' }),
    ...(issued.dpopKey !== undefined && { dpopJkt: issued.dpopKey }),
    iat: seconds(issued.issuedAt),
    exp: seconds(issued.expiresAt),
    ...(isUsed && { consumed: true }),
  } as AdapterPayload
}

export function accessPayload(id: string, { grant, token }: ValidAccessToken): AdapterPayload {
  return {
    jti: id,
    kind: 'AccessToken',
    ...common(grant.id, grant.state),
    scope: token.scope,
    gty: token.grantType,
    ...(token.dpopKey !== undefined && { jkt: token.dpopKey }),
    iat: seconds(token.issuedAt),
    exp: seconds(token.expiresAt),
  } as AdapterPayload
}

export function refreshPayload(id: string, { grant, issued, isUsed }: FoundSecret<IssuedToken>): AdapterPayload {
  return {
    jti: id,
    kind: 'RefreshToken',
    ...common(grant.id, grant.state),
    ...signIn(grant.state),
    scope: issued.scope,
    gty: issued.grantType,
    ...(issued.dpopKey !== undefined && { jkt: issued.dpopKey }),
    iiat: seconds(grant.state.refreshSince ?? issued.issuedAt),
    iat: seconds(issued.issuedAt),
    exp: seconds(issued.expiresAt),
    ...(isUsed && { consumed: true }),
  } as AdapterPayload
}

export function grantPayload(id: string, { subject }: OpenGrant): AdapterPayload {
  return {
    jti: id,
    kind: 'Grant',
    accountId: subject.userId,
    clientId: subject.clientId,
    openid: { scope: subject.scope },
    ...(subject.resource && { resources: { [resourceKey(subject.resource.uri)]: subject.scope } }),
    iat: seconds(subject.authenticatedAt),
  } as AdapterPayload
}

/** A grant that is there, in the form of what leads to it. */
function granted(grant: Document<{ readonly status: string }> | undefined) {
  if (grant?.state.status !== 'open') return {}
  const { id, state } = grant as Document<OpenGrant>
  return { ...common(id, state), ...signIn(state), scope: state.subject.scope }
}

/** A request on the back channel; with the grant once it was approved. */
export function approvalPayload(
  id: string,
  { status, clientId, userId, scope, startedAt, expiresAt }: StartedApproval,
  grant: Document<{ readonly status: string }> | undefined,
  at: Instant,
): AdapterPayload {
  const isRefused = status === 'denied' || status === 'withdrawn'
  const isLate = status === 'expired' || (status === 'pending' && at >= expiresAt)
  return {
    jti: id,
    kind: 'BackchannelAuthenticationRequest',
    clientId,
    accountId: userId,
    scope,
    params: {},
    ...(isRefused && { error: 'access_denied', errorDescription: 'The user denied access.' }),
    ...(isLate && { error: 'expired_token', errorDescription: 'The user did not decide in time.' }),
    ...granted(grant),
    ...(status === 'redeemed' && { consumed: true }),
    iat: seconds(startedAt),
    exp: seconds(expiresAt),
  } as unknown as AdapterPayload
}

/** A device code; with the user and the grant once it was approved. */
export function devicePayload(
  id: string,
  device: StartedDevice,
  grant: Document<{ readonly status: string }> | undefined,
): AdapterPayload {
  return {
    jti: id,
    kind: 'DeviceCode',
    clientId: device.clientId,
    params: device.secret.payload,
    ...(device.status === 'denied' && { error: 'access_denied', errorDescription: 'The user denied access.' }),
    ...granted(grant),
    ...(device.status === 'redeemed' && { consumed: true }),
    iat: seconds(device.startedAt),
    exp: seconds(device.expiresAt),
  } as unknown as AdapterPayload
}
