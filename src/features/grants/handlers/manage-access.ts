/** What users see and decide about applications: consent, the list of applications with access, and taking it back. */

import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Filter, Origin, Work, Written } from '../../../store/index.ts'
import { activeApplication, applications } from '../../applications/index.ts'
import { resourceAt } from '../../resources/index.ts'
import { type Allowed, consentsOfUser } from '../consent.ts'
import type { Grant, OpenGrant } from '../decider.ts'
import { consentId, consents, grants } from '../documents.ts'
import { isSameFrame, joinedWith } from '../picture.ts'
import { grantRefusals } from '../refusals.ts'
import { validGrant } from '../validity.ts'

/** An application that has tokens of a user, or their consent. */
export interface ApplicationAccess {
  readonly applicationId: string
  readonly clientId: string
  readonly name: string
  readonly scopes: readonly string[]
  /** Whether nobody prepared it: its name is what it calls itself. */
  readonly isUnverified: boolean
  /** The APIs that it can use, with a sentence for each thing that it can do there. */
  readonly resources: readonly { readonly uri: string; readonly sentences: readonly string[] }[]
  readonly firstUsedAt: Instant
  readonly lastUsedAt: Instant
}

/** A grant with a refresh token. */
export type RefreshableGrant = OpenGrant & { readonly refresh: NonNullable<OpenGrant['refresh']> }

const PAGE_SIZE = 500

/** The grants of a user that still count, newest first; of one application, if it is given. */
async function grantsOfUser(
  app: App,
  userId: string,
  at: Instant,
  applicationId?: string,
): Promise<readonly Document<OpenGrant>[]> {
  const where: Filter<'userId' | 'applicationId' | 'endsAt'> = {
    all: [
      { field: 'userId', equals: userId },
      ...(applicationId === undefined ? [] : [{ field: 'applicationId', equals: applicationId } as const]),
      { field: 'endsAt', above: at },
    ],
  }
  const found: Document<OpenGrant>[] = []
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const page = { where, orderBy: 'id', descending: true, limit: PAGE_SIZE, offset } as const
    const { documents } = await app.store.find(grants, page)
    const valid = await Promise.all(documents.map((grant) => validGrant(app, grant, at, { survivesLogout: true })))
    found.push(...valid.flatMap((one) => one?.grant ?? []))
    if (documents.length < PAGE_SIZE) return found
  }
}

/** The access that a grant or a consent is part of. */
interface Part {
  readonly applicationId: string
  readonly scopes: readonly string[]
  readonly resource: string | undefined
  readonly from: Instant
  readonly to: Instant
}

type Joined = Omit<ApplicationAccess, 'resources'> & { readonly uris: readonly string[] }

function joined(one: Joined | undefined, { scopes, resource, from, to }: Part) {
  return {
    scopes: [...new Set([...(one?.scopes ?? []), ...scopes])],
    uris: [...new Set([...(one?.uris ?? []), ...(resource === undefined ? [] : [resource])])],
    firstUsedAt: one === undefined || from < one.firstUsedAt ? from : one.firstUsedAt,
    lastUsedAt: one === undefined || to > one.lastUsedAt ? to : one.lastUsedAt,
  }
}

async function withResources(app: App, { uris, ...access }: Joined): Promise<ApplicationAccess> {
  const found = await Promise.all(uris.map((uri) => resourceAt(app, uri)))
  const resources = found.flatMap((one) => {
    const asked = one?.scopes.filter(({ key }) => access.scopes.includes(key)) ?? []
    return one === undefined ? [] : [{ uri: one.uri, sentences: asked.map(({ description }) => description) }]
  })
  return { ...access, resources }
}

/** The applications that have access to the account of a user: those with tokens, and those that get some without asking. */
export async function applicationsWithAccess(app: App, userId: string): Promise<readonly ApplicationAccess[]> {
  const [open, given] = await Promise.all([grantsOfUser(app, userId, app.clock()), consentsOfUser(app, userId)])
  const parts = [
    ...open.map(({ state: { subject }, createdAt, changedAt }): Part => {
      const { applicationId, scope, resource } = subject
      return { applicationId, scopes: scope.split(' '), resource: resource?.uri, from: createdAt, to: changedAt }
    }),
    ...given.map(({ state, applicationId = '', createdAt, changedAt }): Part => {
      return { applicationId, scopes: state.scopes, resource: state.resource, from: createdAt, to: changedAt }
    }),
  ]
  const found = new Map<string, Joined>()
  for (const part of parts) {
    const { applicationId } = part
    const application = applicationId === '' ? undefined : (await activeApplication(app, applicationId))?.application
    if (application === undefined) continue
    const { name, clientId, agent } = application.state
    const own = { applicationId, clientId, name, isUnverified: agent !== undefined }
    found.set(applicationId, { ...own, ...joined(found.get(applicationId), part) })
  }
  return Promise.all([...found.values()].map((one) => withResources(app, one)))
}

/**
 * Records that a user allows an application what they saw, beside what they allowed the same application before. When it was
 * another one in what they saw, what rests on that ends.
 */
export async function giveConsent(
  app: App,
  origin: Origin,
  { userId, clientId, scopes, resource, organizationId, picture: shown }: Allowed & { readonly organizationId: string },
): Promise<void> {
  await app.store.write(origin, async (work) => {
    const id = consentId(userId, clientId, resource)
    const before = await work.get(consents, id)
    const given =
      before?.state.status === 'given' && isSameFrame(before.state.picture, shown) ? before.state : undefined
    const all = [...new Set([...(given?.scopes ?? []), ...scopes])]
    const picture = joinedWith(shown, given?.picture)
    const command = { type: 'give', userId, clientId, scopes: all, resource, picture, at: origin.at } as const
    await work.decide(consents, id, command, organizationId)
  })
}

/** Revokes grants as part of a write, those that are not revoked yet. */
async function revokeGrants(
  work: Work,
  own: readonly Pick<Document<OpenGrant>, 'id'>[],
  reason: 'by_user' | 'requested',
): Promise<void> {
  for (const { id } of own) {
    const grant = await work.get(grants, id)
    if (grant?.state.status !== 'open') continue
    await work.decide(grants, id, { type: 'revoke', reason, at: work.origin.at })
  }
}

/** The grants of a user whose refresh token can be used, newest first. */
export async function refreshableGrants(
  app: App,
  userId: string,
  at: Instant,
): Promise<readonly Document<RefreshableGrant>[]> {
  const open = await grantsOfUser(app, userId, at)
  return open.filter((one): one is Document<RefreshableGrant> => {
    const { refresh } = one.state
    return refresh !== undefined && !refresh.isUsed && refresh.expiresAt > at
  })
}

/** Users revoke all of their refresh tokens, with the access tokens that came from them. */
export async function revokeRefreshTokens(app: App, origin: Origin, userId: string): Promise<void> {
  const own = await refreshableGrants(app, userId, origin.at)
  await app.store.write(origin, (work) => revokeGrants(work, own, 'by_user'))
}

/** Users revoke the refresh token of one of their grants, with its access token. */
export async function revokeRefreshToken(
  app: App,
  origin: Origin,
  userId: string,
  grantId: string,
): Promise<Document<Grant>> {
  const own = (await refreshableGrants(app, userId, origin.at)).find(({ id }) => id === grantId)
  if (own === undefined) throw refused(grantRefusals, 'grant.refresh_token_not_found')
  const { value } = await app.store.write(origin, async (work) => {
    await revokeGrants(work, [own], 'by_user')
    return work.get(grants, grantId)
  })
  return value ?? own
}

/** Revokes all tokens that an application has for a user, and the user's consent. */
export async function takeAccessBack(
  app: App,
  origin: Origin,
  userId: string,
  applicationId: string,
  reason: 'by_user' | 'requested' = 'by_user',
): Promise<Written<void>> {
  const own = await grantsOfUser(app, userId, origin.at, applicationId)
  const application = (await app.store.get(applications, applicationId))?.state
  const clientId = application !== undefined && 'clientId' in application ? application.clientId : ''
  // A consent whose resource is gone would count again with a new one of that name.
  const given = (await consentsOfUser(app, userId)).filter(
    (one) => one.state.clientId === clientId && (one.applicationId ?? applicationId) === applicationId,
  )
  return app.store.write(origin, async (work) => {
    await revokeGrants(work, own, reason)
    for (const { id } of given) {
      if ((await work.get(consents, id))?.state.status === 'given')
        await work.decide(consents, id, { type: 'withdraw' })
    }
  })
}
