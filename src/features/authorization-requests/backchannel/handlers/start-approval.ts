/** An application asks a user for approval on the back channel: whom it can ask, and what it can say. */

import { hashSecret } from '../../../../crypto/tokens.ts'
import { instant } from '../../../../kernel/instant.ts'
import { Refused, refused } from '../../../../kernel/refusal.ts'
import type { App } from '../../../../module/app.ts'
import type { Document, Origin, Reader, Work } from '../../../../store/index.ts'
import { reopeningsOf } from '../../../applications/index.ts'
import { hasProjectAccess, mayUseProject } from '../../../authorizations/index.ts'
import { noticeJob } from '../../../mail/index.ts'
import type { LivingProject } from '../../../projects/index.ts'
import { activePerson, findBySignInName } from '../../../users/index.ts'
import { requireOrganizationOfScopes } from '../../audience.ts'
import { clientOfRequest } from '../../client-of-request.ts'
import { authorizationRequestRefusals } from '../../refusals.ts'
import { approvalEndings, backchannelRequests, pingPlace } from '../documents.ts'

/** How many characters a binding message has at most. */
const LONGEST_BINDING_MESSAGE = 100

/** What shows nothing, moves other text, or hides in it: controls, formats, separators of lines, what is not assigned. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u
/** More marks on one letter than any script has cover the lines around it. */
const STACKED = /\p{M}{4,}/u

/** What is wrong with a binding message; undefined when users can read it. */
export function bindingMessageProblem(text: string): string | undefined {
  if (text.trim() === '') return 'binding_message is empty'
  if ([...text].length > LONGEST_BINDING_MESSAGE) {
    return `binding_message is longer than ${LONGEST_BINDING_MESSAGE} characters`
  }
  return UNSEEN.test(text) || STACKED.test(text)
    ? 'binding_message contains characters that cannot be seen, or that change how others are shown'
    : undefined
}

/**
 * The user whom an application means by a login name or an email address; undefined when there is none that it can ask.
 * Users of organizations that have nothing to do with its project are unknown to it, whatever their name.
 */
export async function userOfHint(app: App, clientId: string, hint: string): Promise<string | undefined> {
  const found = await clientOfRequest(app, { clientId })
  if (found === undefined) return undefined
  const { project } = found
  const user = await findBySignInName(app, hint, project.owner)
  const isReached = user !== undefined && (await hasProjectAccess(app, user.owner, project))
  return isReached ? user.id : undefined
}

/** What an application asks for. */
export interface NewApproval {
  readonly clientId: string
  readonly userId: string
  readonly scope: string
  readonly bindingMessage: string
  readonly claims?: string | undefined
  readonly resource?: string | undefined
  /** With what the application wants to be told of the decision; undefined: it asks. */
  readonly notificationToken?: string | undefined
  readonly lifetimeMs: number
}

/** The ID of the document: a hash of the ID that the application gets. */
export function approvalIdOf(requestId: string): string {
  return hashSecret(requestId)
}

/** The user, if the application can ask them now. One answer for all others: the application learns no reason. */
async function requireReachable(app: App, reader: Reader, project: Document<LivingProject>, asked: NewApproval) {
  const unknown = refused(authorizationRequestRefusals, 'backchannel_request.user_unknown')
  const person = await activePerson(reader, asked.userId)
  if (person?.user.state.type !== 'human') throw unknown
  const { owner: organizationId } = person.user
  if (!(await mayUseProject(app, project, { id: asked.userId, organizationId }, { reader }))) throw unknown
  try {
    await requireOrganizationOfScopes(app, asked.scope, organizationId)
  } catch (error) {
    throw error instanceof Refused ? unknown : error
  }
  return organizationId
}

/** Ends the wait of requests that the user did not answer in time, so that they do not count as waiting. */
async function expireOld(app: App, work: Work, userId: string): Promise<void> {
  const { at } = work.origin
  const { documents } = await app.store.find(backchannelRequests, {
    where: { field: 'openFor', equals: userId },
    limit: 100,
  })
  for (const { id, state } of documents) {
    if (state.status === 'pending' && at >= state.expiresAt)
      await work.decide(backchannelRequests, id, { type: 'expire', at })
  }
}

/** Stores a request and tells the user by mail; throws when they cannot be asked, or are asked too often. */
export async function startApproval(app: App, origin: Origin, requestId: string, asked: NewApproval): Promise<void> {
  const id = approvalIdOf(requestId)
  await app.store.write(origin, async (work) => {
    const found = await clientOfRequest(app, asked, work)
    if (found === undefined || found.agent !== undefined) {
      throw refused(authorizationRequestRefusals, 'authorization_request.not_found')
    }
    const { application, project } = found
    const organizationId = await requireReachable(app, work, project, asked)
    await expireOld(app, work, asked.userId)
    const { notificationToken: token, claims, resource, lifetimeMs, ...rest } = asked
    const { at: startedAt } = work.origin
    const { userId } = asked
    const ended = await approvalEndings.now(work, { userId, organizationId, projectId: project.id })
    const reopened = await reopeningsOf(work, found)
    const ping = token && (await app.vault.seal(work, pingPlace(id), JSON.stringify({ requestId, token })))
    const command = {
      type: 'start',
      ...rest,
      ...(claims !== undefined && { claims }),
      ...(resource !== undefined && { resource }),
      applicationId: application.id,
      projectId: project.id,
      organizationId,
      secret: ping ? { ping } : {},
      startedAt,
      expiresAt: instant(startedAt + lifetimeMs),
      generations: { ...ended, ...reopened },
    } as const
    await work.begin(backchannelRequests, id, command, organizationId)
    const { name } = application.state
    work.enqueue(noticeJob({ type: 'approval_requested', userId: asked.userId, detail: name }))
  })
}
