/** Opens grants: with an authorization code, for a device that was approved, and for a machine with its first token. */

import { grantTokens } from '../../../crypto/tokens.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Origin, Work } from '../../../store/index.ts'
import { findApplicationByClientId, trialRedirectUri } from '../../applications/index.ts'
import { authorizersOf, timesEndedFor } from '../../authorizations/index.ts'
import { findProject } from '../../projects/index.ts'
import type { IssuedCode, IssuedToken } from '../decider.ts'
import { grants } from '../documents.ts'
import type { EndedProjects, GrantSubject } from '../events.ts'
import { grantRefusals } from '../refusals.ts'
import { activeParties, grantEndings } from '../validity.ts'
import { logoutUntilOf } from './notify-logout.ts'

/** What a grant is about, without what is read in the write that opens it. */
export type NewGrant = Omit<GrantSubject, 'generations' | 'logoutUntil' | 'isTrial' | 'projects'> & {
  /** The projects in the audience that the scopes name; of a derived token they are found in the audience. */
  readonly named?: readonly string[]
}

/** How long an authorization code can be redeemed. */
const CODE_LIFETIME_MS = 60_000

/** The projects in the audience of a new grant, beside its own. */
async function otherProjectsOf(app: App, work: Work, subject: NewGrant): Promise<readonly string[]> {
  const { resource, audience, clientId, projectId, parents = [], named = [] } = subject
  if (resource !== undefined) return [resource.projectId]
  if (parents.length === 0) return named.filter((one) => one !== projectId)
  const others = audience.filter((one) => one !== clientId && one !== projectId)
  const found = await Promise.all(
    others.map(async (one) => {
      const [project, client] = await Promise.all([
        findProject(app, one, work),
        findApplicationByClientId(app, one, work),
      ])
      return project?.id ?? client?.state.projectId ?? projectId
    }),
  )
  return found.filter((one) => one !== projectId)
}

/** What a grant remembers of these projects. */
async function endedProjects(
  app: App,
  work: Work,
  subject: NewGrant,
  clientOrganizationId: string,
): Promise<EndedProjects> {
  const { userId: id, organizationId } = subject
  const use = { user: { id, organizationId }, clientOrganizationId }
  const others = [...new Set(await otherProjectsOf(app, work, subject))]
  const times = others.map(async (one) => [one, await timesEndedFor(app, one, use, work)] as const)
  return Object.fromEntries(await Promise.all(times))
}

/**
 * Opens a grant as part of a write; `tokens` is what it starts with. Throws `grant.not_possible` unless the user, the
 * session and the application are active in that write: what ended meanwhile gives no new grant.
 */
export async function openGrant(
  app: App,
  work: Work,
  id: string,
  subject: NewGrant,
  tokens: { readonly code?: IssuedCode; readonly access?: IssuedToken } = {},
): Promise<GrantSubject> {
  const survivesLogout = tokens.access?.isOffline === true
  const [parties, generations] = await Promise.all([
    activeParties(app, subject, work.origin.at, { survivesLogout, reader: work }),
    grantEndings.now(work, subject),
  ])
  if (parties === undefined) throw refused(grantRefusals, 'grant.not_possible')
  const isTrial = tokens.code?.redirectUri === trialRedirectUri(app)
  const logoutUntil = isTrial ? undefined : await logoutUntilOf(work, subject.applicationId, parties.session)
  const { named: _, ...about } = subject
  const projects = await endedProjects(app, work, subject, parties.project?.owner ?? subject.organizationId)
  const used = [subject.projectId, ...Object.keys(projects)].filter((one) => one !== '')
  const authorizers = await authorizersOf(app, subject.userId, used)
  const whole = {
    ...about,
    ...(Object.keys(projects).length > 0 && { projects }),
    ...(Object.keys(authorizers).length > 0 && { authorizers }),
    generations: { ...generations, ...parties.reopenings },
    ...(isTrial && { isTrial }),
    ...(logoutUntil !== undefined && { logoutUntil }),
  }
  const command = { type: 'open', subject: whole, ...tokens, at: work.origin.at } as const
  await work.begin(grants, id, command, subject.organizationId)
  const { sessionId, applicationId, projectId } = subject
  // A token that is there at once is that of a machine, or was exchanged for another: nobody signed in.
  // Nor does a trial count.
  if (sessionId === '' || applicationId === '' || subject.isMachine || isTrial || tokens.access !== undefined)
    return whole
  await app.lifecycle.whenApplicationJoined(app, work, { sessionId, applicationId, projectId })
  return whole
}

export interface CodeRequest {
  readonly redirectUri: string
  readonly codeChallenge?: string
  readonly dpopKey?: string
}

/** Opens a grant with an authorization code as part of a write; returns the code, which is not stored. */
export async function openGrantWithCode(
  app: App,
  work: Work,
  subject: NewGrant,
  request: CodeRequest,
): Promise<string> {
  const id = app.newId()
  const { text, hash } = grantTokens.authorization_code.issue(id)
  const issuedAt = work.origin.at
  const expiresAt = instant(issuedAt + CODE_LIFETIME_MS)
  await openGrant(app, work, id, subject, { code: { ...request, secret: { hash }, issuedAt, expiresAt } })
  return text
}

export interface MachineToken {
  readonly grantId: string
  /** The opaque token. */
  readonly text: string
  readonly hash: string
  readonly issuedAt: Instant
  readonly expiresAt: Instant
  readonly subject: GrantSubject
}

export interface FirstToken {
  readonly grantType: string
  readonly lifetimeMs: number
  readonly dpopKey?: string
  /** Whether it does not depend on the session. */
  readonly isOffline?: boolean
}

/** Opens a grant with an access token in one write: for machines, and for exchanged tokens. */
export async function openGrantWithToken(
  app: App,
  origin: Origin,
  subject: NewGrant,
  { grantType, lifetimeMs, dpopKey, isOffline = false }: FirstToken,
): Promise<MachineToken> {
  const grantId = app.newId()
  const { text, hash } = grantTokens.access_token.issue(grantId)
  const issuedAt = origin.at
  const expiresAt = instant(issuedAt + lifetimeMs)
  const access = {
    secret: { hash },
    scope: subject.scope,
    grantType,
    ...(dpopKey !== undefined && { dpopKey }),
    ...(isOffline && { isOffline }),
    issuedAt,
    expiresAt,
  }
  const { value } = await app.store.write(origin, (work) => openGrant(app, work, grantId, subject, { access }))
  return { grantId, text, hash, issuedAt, expiresAt, subject: value }
}
