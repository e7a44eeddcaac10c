/**
 * Derives a token from others (RFC 8693). What is derived is a child of the grants of the tokens that were shown: it ends
 * with each of them, lasts no longer, asks for nothing that they do not have, and keeps the time of the sign-in.
 */

import { type Instant, instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin } from '../../../store/index.ts'
import type { LivingUser } from '../../users/index.ts'
import type { ActorClaim, Delegation, GrantResource, ParentGrant, ParentToken } from '../events.ts'
import { grantRefusals } from '../refusals.ts'
import type { ShownToken } from './find-token.ts'
import { type MachineToken, type NewGrant, openGrantWithToken } from './open-grant.ts'

/** How many grants and personal access tokens a token may depend on: each is read whenever the token is used. */
const MOST_PARENTS = 8
/** How many agents may act for each other: whoever checks a token reads the whole chain. */
const MOST_ACTORS = 4

/** What a token is derived from, and for whom. */
export interface Derivation {
  /** The user of the new token. */
  readonly user: Document<LivingUser>
  /** The token of that user; undefined: an actor only names them. */
  readonly from: ShownToken | undefined
  /** The token of the one who acts as the user, or on behalf of them. */
  readonly actor: ShownToken | undefined
  /** Set if the actor acts on behalf of the user. */
  readonly delegation?: Delegation | undefined
  /** The application that gets it. */
  readonly client: Pick<NewGrant, 'clientId' | 'applicationId' | 'projectId'>
  /** Undefined: all that the shown tokens have. */
  readonly scope: string | undefined
  readonly audience: string | undefined
  /** The resource that the new token is for; undefined: what the shown token is for. */
  readonly resource: GrantResource | undefined
}

function within(asked: string | undefined, allowed: readonly string[], code: keyof typeof grantRefusals) {
  if (asked === undefined) return allowed
  const all = asked.split(' ')
  if (all.every((one) => allowed.includes(one))) return all
  throw refused(grantRefusals, code)
}

function parentsOf(shown: readonly ShownToken[]): readonly (ParentGrant | ParentToken)[] {
  const all = shown.flatMap(({ parent, subject }) => [parent, ...(subject.parents ?? [])])
  const parents = [...new Map(all.map((one) => ['tokenId' in one ? one.tokenId : one.grantId, one])).values()]
  if (parents.length > MOST_PARENTS) throw refused(grantRefusals, 'grant.derived_too_often')
  return parents
}

function lengthOf(actor: ActorClaim | undefined): number {
  return actor === undefined ? 0 : 1 + lengthOf(actor.act)
}

function actorOf(app: App, { from, actor, delegation }: Derivation): ActorClaim | undefined {
  const before = from?.subject.actor
  if (delegation && lengthOf(before) >= MOST_ACTORS) throw refused(grantRefusals, 'grant.derived_too_often')
  return actor === undefined ? before : { sub: actor.user.id, iss: app.externalUrl, ...(before && { act: before }) }
}

/**
 * The resource that the new token is for. One for a resource gives no token for anything else; one for a project gives
 * tokens for the resources of that.
 */
function resourceOf({ from, actor, resource: asked }: Derivation): GrantResource | undefined {
  const shown = from ?? actor
  if (asked === undefined || shown?.resource?.id === asked.id) return shown?.resource
  const isWithin = shown?.resource === undefined && shown?.audience.includes(asked.projectId) === true
  if (!isWithin) throw refused(grantRefusals, 'grant.audience_exceeded')
  return asked
}

function earliest(times: readonly Instant[]): Instant {
  return instant(Math.min(...times))
}

/** What the new grant is about. */
function subjectOf(app: App, derivation: Derivation, shown: readonly ShownToken[]): NewGrant {
  const { user, from, client, scope, audience, delegation } = derivation
  const actor = actorOf(app, derivation)
  const signedIn = (from ?? derivation.actor)?.subject
  if (signedIn === undefined) throw new Error('a token is derived from at least one other')
  const resource = resourceOf(derivation)
  // The scopes of a token for a project mean nothing at a resource.
  const ownScopes = from?.resource === undefined ? [] : from.scopes
  const union = (of: (token: ShownToken) => readonly string[]) => [...new Set(shown.flatMap(of))]
  return {
    userId: user.id,
    organizationId: user.owner,
    isMachine: user.state.type === 'machine',
    ...client,
    sessionId: from?.subject.sessionId ?? '',
    scope: within(
      scope,
      resource === undefined ? union(({ scopes }) => scopes) : ownScopes,
      'grant.scope_exceeded',
    ).join(' '),
    audience: within(
      audience,
      resource === undefined ? union((token) => token.audience) : [resource.uri],
      'grant.audience_exceeded',
    ),
    ...(resource && { resource }),
    authenticatedAt: signedIn.authenticatedAt,
    amr: from?.subject.amr ?? [],
    acr: from?.subject.acr ?? '',
    parents: parentsOf(shown),
    ...(actor && { actor }),
    ...(delegation && { delegation }),
  }
}

/**
 * Opens the grant of a derived token, with the token. Throws `grant.not_possible` when a grant that it would depend on does
 * not count in that write, or when the user may not use the application.
 */
export async function openDerivedGrant(
  app: App,
  origin: Origin,
  derivation: Derivation,
  token: { readonly grantType: string; readonly lifetimeMs: number; readonly dpopKey?: string },
): Promise<MachineToken> {
  const { from, actor } = derivation
  const shown = [from, actor].filter((one) => one !== undefined)
  const subject = subjectOf(app, derivation, shown)
  const ends = earliest(shown.map(({ expiresAt }) => expiresAt))
  const lifetimeMs = Math.min(token.lifetimeMs, ends - origin.at)
  const isOffline = from !== undefined && 'isOffline' in from.parent && from.parent.isOffline === true
  return openGrantWithToken(app, origin, subject, { ...token, lifetimeMs, isOffline })
}
