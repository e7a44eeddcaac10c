/** What users see and decide about applications: consent, the list of applications with access, and taking it back. */

import type { Instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Filter, Origin, Reader } from '../../../store/index.ts'
import { activeApplication, applications } from '../../applications/index.ts'
import type { OpenGrant } from '../decider.ts'
import { consentId, consents, grants } from '../documents.ts'
import { validGrant } from '../validity.ts'

/** An application that has tokens of a user, or their consent. */
export interface ApplicationAccess {
  readonly applicationId: string
  readonly clientId: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly lastUsedAt: Instant
}

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

/** The applications that have access to the account of a user. */
export async function applicationsWithAccess(app: App, userId: string): Promise<readonly ApplicationAccess[]> {
  const found = new Map<string, ApplicationAccess>()
  for (const { state, changedAt } of await grantsOfUser(app, userId, app.clock())) {
    const { applicationId, clientId, scope } = state.subject
    if (applicationId === '') continue
    const application = (await activeApplication(app, applicationId))?.application
    if (application === undefined) continue
    const before = found.get(applicationId)
    found.set(applicationId, {
      applicationId,
      clientId,
      name: application.state.name,
      scopes: [...new Set([...(before?.scopes ?? []), ...scope.split(' ')])],
      lastUsedAt: (before?.lastUsedAt ?? 0) > changedAt ? (before?.lastUsedAt ?? changedAt) : changedAt,
    })
  }
  return [...found.values()]
}

/** What a user allows an application. */
interface Allowed {
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /** The URI of the resource that the scopes are about; undefined: about the account. */
  readonly resource?: string | undefined
}

/** Whether a user allowed an application these scopes, at or after a time. */
export async function hasConsent(
  app: App,
  given: Allowed & { readonly since: Instant },
  reader: Reader = app.store,
): Promise<boolean> {
  const consent = await reader.get(consents, consentId(given.userId, given.clientId, given.resource))
  if (consent?.state.status !== 'given' || consent.state.givenAt < given.since) return false
  const { scopes } = consent.state
  return given.scopes.every((scope) => scopes.includes(scope))
}

/** Records that a user allows an application these scopes, beside those allowed before. */
export async function giveConsent(
  app: App,
  origin: Origin,
  { userId, clientId, scopes, resource, organizationId }: Allowed & { readonly organizationId: string },
): Promise<void> {
  await app.store.write(origin, async (work) => {
    const id = consentId(userId, clientId, resource)
    const before = await work.get(consents, id)
    const known = before?.state.status === 'given' ? before.state.scopes : []
    const all = [...new Set([...known, ...scopes])]
    const command = { type: 'give', userId, clientId, scopes: all, resource, at: origin.at } as const
    await work.decide(consents, id, command, organizationId)
  })
}

/** The IDs of what a user allowed a client, for each resource. */
async function consentsOfUser(app: App, userId: string, clientId: string): Promise<readonly string[]> {
  const ids = await app.store.findIds(consents, { field: 'userId', equals: userId })
  const own = consentId(userId, clientId)
  return ids.filter((id) => id === own || id.startsWith(`${own} `))
}

/** Revokes all tokens that an application has for a user, and the user's consent. */
export async function takeAccessBack(app: App, origin: Origin, userId: string, applicationId: string): Promise<void> {
  const own = await grantsOfUser(app, userId, origin.at, applicationId)
  const application = (await app.store.get(applications, applicationId))?.state
  const clientId = application !== undefined && 'clientId' in application ? application.clientId : ''
  const given = await consentsOfUser(app, userId, clientId)
  await app.store.write(origin, async (work) => {
    for (const { id } of own) {
      const grant = await work.get(grants, id)
      if (grant?.state.status === 'open')
        await work.decide(grants, id, { type: 'revoke', reason: 'by_user', at: origin.at })
    }
    for (const id of given) {
      if ((await work.get(consents, id))?.state.status === 'given')
        await work.decide(consents, id, { type: 'withdraw' })
    }
  })
}
