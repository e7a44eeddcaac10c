/**
 * Where the engine's own objects are replaced by ours: the session is the session of the hosted pages, codes and tokens
 * carry the id of their grant, ID tokens are signed with our web keys, secrets are compared by hash, and claims come from
 * `claims.ts`.
 */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { grantTokens, hashSecret } from '../../../crypto/tokens.ts'
import {
  findApplication,
  isHighAssurance,
  isRedirectAllowed,
  matchesApplicationSecret,
  type OidcConfig,
  trialRedirectUri,
} from '../../../features/applications/index.ts'
import {
  authenticatedAtOf,
  authenticationOf,
  readScopes,
  takeAssertion,
} from '../../../features/authorization-requests/index.ts'
import { grants, idTokenIdOf, type OpenGrant } from '../../../features/grants/index.ts'
import { findOpenSession, type UserSession } from '../../../features/sessions/index.ts'
import { type LivingUser, users } from '../../../features/users/index.ts'
import { verifyOwnJwt } from '../../../features/web-keys/index.ts'
import { instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import type { Document } from '../../../store/index.ts'
import { requestedClaims } from '../../claims.ts'
import { originOf } from '../../origin.ts'
import { formatOf, seconds, signAccessToken, signIdToken } from '../../tokens.ts'
import { translated } from '../adapter.ts'
import { APPLICATION_MEMBER, REDIRECTS_MEMBER, type Redirects } from '../clients.ts'
import { currentContext, progressOf, requestOf } from '../context.ts'
import { errors, Provider } from './index.ts'

/** An engine whose members may be replaced. Its types describe how to use them, not how to make them. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Replaceable = any

/** Puts a function of ours in the place of one that the engine has. */
function replace(owner: Replaceable, name: string, own: (this: Replaceable, ...given: never[]) => unknown): void {
  if (typeof owner[name] !== 'function') throw new Error(`oidc-provider has no ${name} to replace`)
  owner[name] = own
}

/** Computes a value of a request in our own way. */
function replaceValue(prototype: Replaceable, name: string, get: (this: Replaceable) => unknown): void {
  if (Object.getOwnPropertyDescriptor(prototype, name)?.get === undefined) {
    throw new Error(`oidc-provider has no ${name} to replace`)
  }
  Object.defineProperty(prototype, name, { get })
}

/** The engine's session is a view of the session that the browser's cookie names; nothing of it is stored. */
function replaceSession(app: App, { Session }: Replaceable): void {
  replace(Session, 'get', async (ctx: KoaContextWithOIDC) => {
    const { person } = requestOf(ctx)
    const found =
      person?.step === 'none'
        ? await findOpenSession(app.store, person.sessionId, app.clock(), person.userId)
        : undefined
    const session = found ? new Session(await signInOf(app, found)) : new Session()
    if (found !== undefined) progressOf(ctx).signedInAt = authenticatedAtOf(found.state)
    ctx.oidc.entity('Session', session)
    return session
  })
  const forget = async function forget(this: { touched: boolean }) {
    this.touched = false
    return ''
  }
  replace(Session.prototype, 'save', forget)
  replace(Session.prototype, 'persist', forget)
}

async function signInOf(app: App, { id, state }: Document<UserSession>) {
  const { authenticatedAt, amr, acr } = await authenticationOf(app, state, app.clock())
  return { uid: id, jti: id, accountId: state.user.id, loginTs: seconds(authenticatedAt), amr: [...amr], acr }
}

/** How the application of a grant behaves. */
async function configOf(app: App, { subject }: OpenGrant): Promise<OidcConfig | undefined> {
  const application = await findApplication(app, subject.applicationId)
  return application?.state.config.type === 'oidc' ? application.state.config : undefined
}

/** Codes and tokens contain the id of their grant, by which they are found. */
function replaceTokens(app: App, provider: Replaceable): void {
  const { AuthorizationCode, AccessToken, RefreshToken } = provider
  const issueWith = (kind: keyof typeof grantTokens) =>
    function generateTokenId(this: { readonly grantId: string }): string {
      return grantTokens[kind].issue(this.grantId).text
    }
  replace(AuthorizationCode.prototype, 'generateTokenId', issueWith('authorization_code'))
  replace(RefreshToken.prototype, 'generateTokenId', issueWith('refresh_token'))
  replace(AccessToken.prototype, 'generateTokenId', issueWith('access_token'))
  const opaque = RefreshToken.prototype.getValueAndPayload
  replace(AccessToken.prototype, 'getValueAndPayload', async function getValueAndPayload() {
    const { value, payload } = await opaque.call(this)
    const { tokens } = progressOf(currentContext())
    tokens.accessText = value
    const grant = await app.store.get(grants, this.grantId)
    const config = grant?.state.status === 'open' ? await configOf(app, grant.state) : undefined
    if (config === undefined || grant?.state.status !== 'open') return { value, payload }
    // A token for a resource is always signed (RFC 9068): the resource need not ask us about it.
    if (config.accessTokenType !== 'jwt' && grant.state.subject.resource === undefined) return { value, payload }
    const token = {
      grantId: this.grantId,
      hash: hashSecret(grantTokens.access_token.parse(value)?.secret ?? ''),
      subject: grant.state.subject,
      scope: payload.scope ?? '',
      issuedAt: instant(payload.iat * 1000),
      expiresAt: instant(payload.exp * 1000),
      dpopKey: payload.jkt,
    }
    const signed = await translated(() => signAccessToken(app, token, formatOf(config)))
    tokens.accessText = signed
    return { value: signed, payload }
  })
}

/** ID tokens are made from the grant and signed with our web keys. */
function replaceIdToken(app: App, { IdToken }: Replaceable): void {
  replace(IdToken.prototype, 'issue', async function issue(): Promise<string> {
    const ctx: KoaContextWithOIDC = this.ctx
    const { grant: engineGrant, accessToken } = ctx.oidc
    const grant = await app.store.get(grants, engineGrant?.jti ?? '')
    // The code was used a second time after the access token was issued.
    if (grant?.state.status !== 'open') throw new errors.InvalidGrant('the grant was revoked')
    const config = await configOf(app, grant.state)
    if (config === undefined) throw new Error('an ID token needs an application')
    const { subject } = grant.state
    const user = (await app.store.get(users, subject.userId)) as Document<LivingUser> | undefined
    if (user === undefined) throw new Error('an ID token needs a user')
    const parts = {
      subject,
      user,
      // The scopes of a token for a resource are about the resource.
      scope: (subject.resource === undefined ? accessToken?.scope : this.scope) ?? subject.scope,
      accessToken: accessToken && progressOf(ctx).tokens.accessText,
      id: idTokenIdOf(app, grant.id, grant.state),
      requested: requestedClaims(subject.claims, 'id_token'),
      issuedAt: app.clock(),
      lifetimeMs: requestOf(ctx).lifetimes.idTokenMs,
    }
    return translated(() => signIdToken(app, parts, { ...config, isStrong: isHighAssurance(config) }))
  })
  // An expired one is a hint as good as another (OpenID Connect Core §3.1.2.1).
  replace(IdToken, 'validate', async (token: string, client: { readonly clientId: string }) => {
    const payload = await verifyOwnJwt(app, token)
    const audience = [payload?.aud].flat()
    // Access tokens have the same signer; only ID tokens name the party they are for.
    const isIdToken = payload?.iss === app.externalUrl && typeof payload.azp === 'string'
    if (payload === undefined || !isIdToken || !audience.includes(client.clientId)) {
      throw new Error('the ID token is not one of ours for this client')
    }
    return { header: {}, payload }
  })
}

/** Secrets are compared by their hash, redirect URIs by our own rule. */
function replaceClient(app: App, { Client }: Replaceable): void {
  replace(Client.prototype, 'compareClientSecret', async function compareClientSecret(secret: string) {
    const proven = Provider.ctx && requestOf(Provider.ctx).proven
    if (proven !== undefined) return proven.clientId === this.clientId && proven.secret === secret
    const application = await findApplication(app, this[APPLICATION_MEMBER])
    return application !== undefined && matchesApplicationSecret(app, application, secret)
  })
  replace(Client.prototype, 'redirectUriAllowed', function redirectUriAllowed(uri: string): boolean {
    const redirects: Redirects | undefined = this[REDIRECTS_MEMBER]
    if (redirects === undefined) return false
    return isRedirectAllowed(uri, redirects.redirectUris, redirects) || isTrialOf(app, this.clientId, uri)
  })
}

/** Whether the request of this client has a ticket to end at the console, for the PKCE challenge that it has. */
function isTrialOf(app: App, clientId: string, uri: string): boolean {
  const ctx = Provider.ctx
  const trial = ctx && requestOf(ctx).trial
  if (trial?.clientId !== clientId || uri !== trialRedirectUri(app)) return false
  return ctx?.oidc.params?.code_challenge === trial.codeChallenge
}

/** An assertion or proof counts once, also when two nodes see it at the same time. */
function replaceReplayDetection(app: App, { ReplayDetection }: Replaceable): void {
  replace(ReplayDetection, 'unique', (issuer: string, id: string, expiresAt: number) =>
    takeAssertion(app, originOf(app), hashSecret(`${issuer}\n${id}`), instant(expiresAt * 1000)),
  )
}

/** Claims are complete when they come from `claims.ts`; the engine does not filter them again. */
function replaceClaims({ Claims }: Replaceable): void {
  replace(Claims.prototype, 'result', async function result() {
    return this.available
  })
}

/**
 * `offline_access` needs no consent of the user where the application is our own: OpenID Connect Core §11 allows it. And
 * `none` is a matter of the login page where that is not ours.
 */
function replacePrompts({ OIDCContext }: Replaceable): void {
  class Prompts extends Set<string> {
    override has(name: string): boolean {
      return name === 'consent' ? true : super.has(name)
    }
  }
  replaceValue(OIDCContext.prototype, 'prompts', function prompts(): Set<string> {
    const prompt = this.params?.prompt
    const found = new Prompts(typeof prompt === 'string' && prompt !== '' ? prompt.split(' ') : [])
    if (progressOf(this.ctx).isLeftToOwnPage) found.delete('none')
    return found
  })
}

/** The engine knows scopes by their name alone; ours can contain the ID of a project or an organization. */
function replaceScopes({ OIDCContext }: Replaceable): void {
  replaceValue(OIDCContext.prototype, 'requestParamOIDCScopes', function scopes(): Set<string> {
    return new Set(readScopes(String(this.params?.scope ?? '')).known)
  })
}

/** Puts our objects in the place of the engine's own. */
export function replaceModels(app: App, provider: Provider): void {
  replaceSession(app, provider)
  replaceTokens(app, provider)
  replaceIdToken(app, provider)
  replaceClient(app, provider)
  replaceReplayDetection(app, provider)
  replaceClaims(provider)
  replacePrompts(provider)
  replaceScopes(provider)
}
