/** What a user is asked on the back channel, and their one decision. Whoever decides, it is checked inside the write. */

import { type Generations, isCurrent } from '../../../../kernel/generations.ts'
import type { Instant } from '../../../../kernel/instant.ts'
import { refused } from '../../../../kernel/refusal.ts'
import type { App } from '../../../../module/app.ts'
import type { Document, Origin, Reader, Work } from '../../../../store/index.ts'
import { activeApplication, reopeningsOf } from '../../../applications/index.ts'
import { openGrant } from '../../../grants/index.ts'
import { findOpenSession, type OpenSession } from '../../../sessions/index.ts'
import { secondFactorAt } from '../../authentication.ts'
import { approvedGrant, requireSignedIn } from '../../handlers/approve-request.ts'
import { type AskingApplication, describeApplication } from '../../handlers/describe-request.ts'
import { authorizationRequestRefusals } from '../../refusals.ts'
import type { StartedApproval } from '../decider.ts'
import { approvalEndings, backchannelRequests } from '../documents.ts'
import type { ApprovalEnding } from '../events.ts'

/** A request that waits for the user, as pages show it. */
export interface WaitingApproval {
  readonly id: string
  readonly application: AskingApplication
  readonly bindingMessage: string
  readonly startedAt: Instant
  readonly expiresAt: Instant
}

/** More than a user can have at once. */
const MOST_SHOWN = 100

/** How often what a request ends with was ended by now; undefined while the application cannot be used. */
async function endingsNow(
  app: App,
  reader: Reader,
  { userId, organizationId, applicationId, projectId }: StartedApproval,
): Promise<Generations<ApprovalEnding> | undefined> {
  const [found, now] = await Promise.all([
    activeApplication(app, applicationId, { reader, projectId }),
    approvalEndings.now(reader, { userId, organizationId, projectId }),
  ])
  return found && { ...now, ...(await reopeningsOf(reader, found)) }
}

/** A request by its ID. One that waits, and was ended by something else, counts as withdrawn. */
export async function findApproval(app: App, id: string): Promise<Document<StartedApproval> | undefined> {
  const request = await app.store.get(backchannelRequests, id)
  const state = request?.state
  if (request === undefined || state === undefined || state.status === 'unknown') return undefined
  if (state.status !== 'pending') return { ...request, state }
  const now = await endingsNow(app, app.store, state)
  const counts = now !== undefined && isCurrent(now, state.generations)
  return { ...request, state: counts ? state : { ...state, status: 'withdrawn' } }
}

async function describe(app: App, found: Document<StartedApproval> | undefined): Promise<WaitingApproval | undefined> {
  if (found === undefined) return undefined
  const { id, state } = found
  const { clientId, scope, resource, bindingMessage, startedAt, expiresAt, status } = state
  if (status !== 'pending' || app.clock() >= expiresAt) return undefined
  const application = await describeApplication(app, clientId, scope, resource)
  return application && { id, application, bindingMessage, startedAt, expiresAt }
}

/** The requests that wait for a user, those that expire first at the top. What its application cannot use is not there. */
export async function waitingApprovals(app: App, userId: string): Promise<readonly WaitingApproval[]> {
  const where = { field: 'openFor', equals: userId } as const
  const { documents } = await app.store.find(backchannelRequests, { where, orderBy: 'expiresAt', limit: MOST_SHOWN })
  const described = await Promise.all(documents.map(async ({ id }) => describe(app, await findApproval(app, id))))
  return described.filter((one) => one !== undefined)
}

/** A request that waits for the user of a session, and whether they have proven themself since; undefined: there is none. */
export async function waitingApproval(
  app: App,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  id: string,
): Promise<(WaitingApproval & { readonly isProven: boolean }) | undefined> {
  const found = await findApproval(app, id)
  const described = found?.state.userId === userId ? await describe(app, found) : undefined
  if (described === undefined) return undefined
  const session = await findOpenSession(app.store, sessionId, app.clock(), userId)
  return { ...described, isProven: session !== undefined && isProvenSince(session.state, described.startedAt) }
}

function isProvenSince(session: OpenSession, since: Instant): boolean {
  const provenAt = secondFactorAt(session)
  return provenAt !== undefined && provenAt >= since
}

/**
 * Gives the application what it asks for, with the session of the user, who has shown a passkey or second factor since it
 * asked. Throws for all but the first decision, and when the user may not use the application.
 */
export async function approve(app: App, origin: Origin, id: string, sessionId: string): Promise<void> {
  await app.store.write(origin, async (work) => {
    const { at } = work.origin
    const session = await requireSignedIn(work, sessionId, at)
    const request = (await work.get(backchannelRequests, id))?.state
    if (request === undefined || request.status === 'unknown') {
      throw refused(authorizationRequestRefusals, 'backchannel_request.not_found')
    }
    const grantId = app.newId()
    const { id: userId } = session.state.user
    const provenAt = secondFactorAt(session.state)
    const now = await endingsNow(app, work, request)
    if (now === undefined) throw refused(authorizationRequestRefusals, 'authorization_request.not_found')
    await work.decide(backchannelRequests, id, { type: 'approve', userId, grantId, provenAt, at, now })
    const { clientId, scope, claims, resource } = request
    const subject = await approvedGrant(app, work, { clientId, scope, claims, resource }, sessionId, at)
    await openGrant(app, work, grantId, subject)
  })
}

/** Refuses a request. A session is enough: nobody gets anything by it. */
export async function deny(app: App, origin: Origin, id: string, userId: string): Promise<void> {
  await app.store.write(origin, (work) =>
    work.decide(backchannelRequests, id, { type: 'deny', userId, at: work.origin.at }),
  )
}

/** Redeems a request in the write that stores its tokens; throws for all but the first. */
export async function redeemApproval(work: Work, id: string): Promise<void> {
  await work.decide(backchannelRequests, id, { type: 'redeem', at: work.origin.at })
}

/** Withdraws what waits for a user in the commit that removes the user: nobody is left to decide, and the messages go. */
export async function withdrawApprovals(app: App, work: Work, userId: string): Promise<void> {
  const where = { field: 'openFor', equals: userId } as const
  const ids = await app.store.findIds(backchannelRequests, where, MOST_SHOWN)
  for (const id of ids) {
    await work.decide(backchannelRequests, id, { type: 'withdraw' })
  }
}
