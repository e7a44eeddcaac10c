/** How it is carried what users and organizations allowed applications. */
import { OWNERS_REACH } from '../../access/paths.ts'
import { refused } from '../../kernel/refusal.ts'
import { declare, nothingElse } from '../../module/carried.ts'
import { findApplication } from '../applications/index.ts'
import { requireOrganization } from '../organizations/index.ts'
import { requireUser } from '../users/index.ts'
import { agentApprovals, approvalId } from './approvals.ts'
import { consentId, consents } from './documents.ts'
import { grantRefusals } from './refusals.ts'

export const carriedConsents = declare(consents, {
  as: 'consent',
  after: ['authorization'],
  lives: ['given'],
  describe: ({ status: _, ...given }) => given,
  idOf: (_, { userId, clientId, resource }) => consentId(userId, clientId, resource),
  async put({ work, draft: { userId, clientId, scopes, resource, picture, givenAt: at, ...rest } }, before) {
    nothingElse(rest)
    if (before !== undefined) return
    const given = { userId, clientId, scopes, resource, picture, at }
    const owner = await requireUser(work, userId)
    await work.decide(consents, consentId(userId, clientId, resource), { type: 'give', ...given }, owner)
  },
  remove: 'with its holder',
})

export const carriedApprovals = declare(agentApprovals, {
  as: 'agent-approval',
  after: ['consent'],
  lives: ['given'],
  describe: ({ status: _, ...given }) => given,
  idOf: (_, { organizationId, clientId, resource }) => approvalId(organizationId, clientId, resource),
  async put({ app, work, organizationId, reach: by = OWNERS_REACH, draft }, before) {
    const { clientId, applicationId, resource, scopes, picture, givenAt, since, reach: _, ...rest } = draft
    nothingElse(rest)
    if (before !== undefined) return
    await requireOrganization(app, organizationId, work)
    if ((await findApplication(app, applicationId, work)) === undefined)
      throw refused(grantRefusals, 'grant.no_consent')
    const id = approvalId(organizationId, clientId, resource)
    const command = { type: 'give', clientId, applicationId, resource, scopes, picture, by } as const
    for (const at of since === givenAt ? [givenAt] : [since, givenAt]) {
      await work.decide(agentApprovals, id, { ...command, at }, organizationId)
    }
  },
  remove: 'with its holder',
})
