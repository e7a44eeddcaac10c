/** What the engine's hooks need to know about the request that they run in. */
import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import {
  agentKindOf,
  findApplication,
  knownAgent,
  type LivingApplication,
  type OidcConfig,
  type SignInTrial,
} from '../../features/applications/index.ts'
import type { oidcLifetimes } from '../../features/settings/index.ts'
import type { findPerson } from '../../features/sign-in/index.ts'
import type { PageAnswer } from '../../http/page.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { OAuthError, tooManyRequests } from '../answers.ts'
import type { ShownNonce } from '../dpop-nonces.ts'
import { APPLICATION_MEMBER, type EngineRules, RULES_MEMBER } from './clients.ts'
import { Provider } from './library/index.ts'
import type { ExplainedRefusal } from './refusals.ts'
import type { TokenRequest } from './token-request.ts'

/** The facts about one request that are read before the engine sees it. */
export interface EngineRequest {
  readonly app: App
  readonly lifetimes: Awaited<ReturnType<typeof oidcLifetimes>>
  /** The person whose session the browser has, at whatever step of their sign-in. */
  readonly person: Awaited<ReturnType<typeof findPerson>>
  /** User ID of the login client that the caller names, for a sign-in page of their own. */
  readonly loginClientId: string
  /** Counts an anonymous request that is stored; false: there were too many from the same source. */
  mayStart(): boolean
  /** A page that tells the user about an error. */
  errorPage(error: string, description: string | undefined, explained?: ExplainedRefusal): PageAnswer
  /** What the log and the pages refer to the request by. */
  readonly requestId: string
  /** The client that an assertion proved before the engine was asked, and the secret that stands for that here. */
  readonly proven?: { readonly clientId: string; readonly secret: string }
  /** The nonce of its DPoP proof; undefined when it has no proof. */
  readonly nonce: ShownNonce | undefined
  /** The trial that the request has a ticket for. */
  readonly trial: SignInTrial | undefined
  /** Is told which client authenticated. */
  onClient?(clientId: string): void
  /** Is told about an error that the engine does not know; it answers such a request as if the server had a fault. */
  onError(error: unknown): void
}

/** What is found out about a request while the engine works on it. */
interface Progress {
  /** When the user signed in, to the millisecond; the engine itself counts in seconds. */
  signedInAt: Instant
  /**
   * Whether it is left to a login page that is not ours. Whether the user is signed in is known there, so the engine must
   * not fail a request with `prompt=none` because it does not know.
   */
  isLeftToOwnPage: boolean
  readonly tokens: TokenRequest
  /** What a signed request says of itself; it counts once. */
  signedRequest?: { readonly jti: string; readonly expiresAt: Instant }
}

/** The only state of a request: what was read before, and what was found out since. */
const requests = new WeakMap<IncomingMessage, { readonly facts: EngineRequest; readonly progress: Progress }>()

/** Attaches the facts to a request. */
export function attach(request: IncomingMessage, facts: EngineRequest): void {
  const tokens = { startedAt: facts.app.clock() }
  requests.set(request, { facts, progress: { signedInAt: instant(0), isLeftToOwnPage: false, tokens } })
}

type InRequest = Pick<KoaContextWithOIDC, 'req'>

function stateOf({ req }: InRequest) {
  const found = requests.get(req)
  if (found === undefined) throw new Error('the request did not come through the router')
  return found
}

/** The facts about the request of a context. */
export function requestOf(ctx: InRequest): EngineRequest {
  return stateOf(ctx).facts
}

/** What was found out about the request of a context; hooks add to it. */
export function progressOf(ctx: InRequest): Progress {
  return stateOf(ctx).progress
}

/** The context of the request that the engine works on, for hooks that are not told. */
export function currentContext(): KoaContextWithOIDC {
  const ctx = Provider.ctx
  if (ctx === undefined) throw new Error('the engine does something outside of a request')
  return ctx
}

/** What a request contains that the client may have signed: the parameters of the request. */
export function assertionsIn(ctx: KoaContextWithOIDC): readonly string[] {
  const { body = {}, params = {} } = ctx.oidc
  const given = [params.request, body.request, ctx.query.request]
  return [...new Set(given)].filter((text): text is string => typeof text === 'string' && text !== '')
}

const NO_RULES: EngineRules = { requiresPkce: false, isHighAssurance: false }

/** What the client of a request must do besides what all must. */
export function rulesOf(client: KoaContextWithOIDC['oidc']['client']): EngineRules {
  return (client?.[RULES_MEMBER] as EngineRules | undefined) ?? NO_RULES
}

/** An application that signs users in. */
export type OidcApplication = Document<LivingApplication & { readonly config: OidcConfig }>

/** The client of a request, prepared or not: its ID, and how it behaves. */
export async function clientOf(
  ctx: KoaContextWithOIDC,
): Promise<{ clientId: string; config: OidcConfig; isAgent: boolean }> {
  const clientId = ctx.oidc.client?.clientId ?? ''
  if (agentKindOf(clientId) === undefined) return { ...(await applicationOf(ctx)).state, isAgent: false }
  const agent = await knownAgent(requestOf(ctx).app, clientId)
  if (agent === undefined) throw new OAuthError('invalid_client', 'The client cannot be used.', 401)
  return { ...agent, isAgent: true }
}

/** The application of the client of a request, which somebody prepared. */
export async function applicationOf(ctx: KoaContextWithOIDC): Promise<OidcApplication> {
  const id = ctx.oidc.client?.[APPLICATION_MEMBER]
  const application = typeof id === 'string' ? await findApplication(requestOf(ctx).app, id) : undefined
  if (application?.state.config.type !== 'oidc') throw new Error('the client of the request is no OIDC application')
  return application as OidcApplication
}

/** Throws when too many users who are not signed in start requests from one source. */
export function limitUsers(ctx: KoaContextWithOIDC): void {
  const { person, mayStart } = requestOf(ctx)
  if (person?.step !== 'none' && !mayStart()) throw tooManyRequests()
}

/** Throws when too many requests of clients that need not authenticate come from one source. */
export function limitClients(ctx: KoaContextWithOIDC): void {
  if (ctx.oidc.client?.tokenEndpointAuthMethod === 'none' && !requestOf(ctx).mayStart()) throw tooManyRequests()
}
