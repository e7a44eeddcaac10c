/** What users allowed applications, and whether that still stands. */
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Document, Reader } from '../../store/index.ts'
import { agentApplicationId, agentKindOf, findApplicationByClientId } from '../applications/index.ts'
import { resourceAt } from '../resources/index.ts'
import { type Consent, consentId, consents } from './documents.ts'
import type { GrantSubject } from './events.ts'

/** What a user allows an application. */
export interface Allowed {
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

/** Whether somebody still allows what a client that nobody prepared was given: without that, its tokens count no more. */
export async function isStillAllowed(
  { userId, clientId, resource }: Pick<GrantSubject, 'userId' | 'clientId' | 'resource'>,
  reader: Reader,
): Promise<boolean> {
  return (await reader.get(consents, consentId(userId, clientId, resource?.uri)))?.state.status === 'given'
}

export type GivenConsent = Document<Extract<Consent, { status: 'given' }>> & {
  readonly applicationId: string | undefined
}

/** The application that a consent is about; undefined when it, or the resource, is no longer there. */
async function applicationIdOf(app: App, { clientId, resource }: GivenConsent['state']): Promise<string | undefined> {
  if (agentKindOf(clientId) === undefined) return (await findApplicationByClientId(app, clientId))?.id
  const found = resource === undefined ? undefined : await resourceAt(app, resource)
  return found && agentApplicationId(found.project.id, clientId)
}

/** What a user allows now, with the applications. */
export async function consentsOfUser(app: App, userId: string): Promise<readonly GivenConsent[]> {
  const ids = await app.store.findIds(consents, { field: 'userId', equals: userId })
  const found = await Promise.all(
    ids.map(async (id) => {
      const consent = await app.store.get(consents, id)
      if (consent?.state.status !== 'given') return []
      const given = consent as Omit<GivenConsent, 'applicationId'>
      return [{ ...given, applicationId: await applicationIdOf(app, given.state) }]
    }),
  )
  return found.flat()
}
