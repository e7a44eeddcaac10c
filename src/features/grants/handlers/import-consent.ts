/** Brings what users and organizations of an export allowed applications, as part of a write. */
import { OWNERS_REACH, type Reach } from '../../../access/paths.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { findApplication } from '../../applications/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { userRefusals, users } from '../../users/index.ts'
import { agentApprovals, approvalId } from '../approvals.ts'
import { consentId, consents } from '../documents.ts'
import type { Picture } from '../picture.ts'
import { grantRefusals } from '../refusals.ts'

export interface ImportedConsent {
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly resource?: string | undefined
  readonly picture?: Picture | undefined
  readonly givenAt: Instant
}

/** Adds what a user allowed an application. */
export async function importConsent(work: Work, { givenAt: at, ...given }: ImportedConsent): Promise<void> {
  const { userId, clientId, resource } = given
  const owner = (await work.get(users, userId))?.owner
  if (owner === undefined) throw refused(userRefusals, 'user.not_found')
  await work.decide(consents, consentId(userId, clientId, resource), { type: 'give', ...given, at }, owner)
}

export interface ImportedApproval {
  readonly organizationId: string
  readonly clientId: string
  readonly applicationId: string
  readonly resource: string
  readonly scopes: readonly string[]
  readonly picture?: Picture | undefined
  readonly givenAt: Instant
  readonly since: Instant
  readonly reach?: Reach
}

/** Adds what an organization allowed a client for all of its users. */
export async function importApproval(app: App, work: Work, given: ImportedApproval): Promise<void> {
  const {
    organizationId,
    clientId,
    applicationId,
    resource,
    scopes,
    picture,
    givenAt,
    since,
    reach: by = OWNERS_REACH,
  } = given
  await requireOrganization(app, organizationId, work)
  if ((await findApplication(app, applicationId, work)) === undefined) throw refused(grantRefusals, 'grant.no_consent')
  const id = approvalId(organizationId, clientId, resource)
  const command = { type: 'give', clientId, applicationId, resource, scopes, picture, by } as const
  if (since !== givenAt) await work.decide(agentApprovals, id, { ...command, at: since }, organizationId)
  await work.decide(agentApprovals, id, { ...command, at: givenAt }, organizationId)
}
