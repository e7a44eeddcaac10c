/** What administrators of an organization see and decide about clients that nobody prepared. */
import type { Call } from '../../../access/call.ts'
import { reachIn } from '../../../access/paths.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin } from '../../../store/index.ts'
import { activeApplication, type LivingApplication } from '../../applications/index.ts'
import { hasProjectAccess } from '../../authorizations/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { type FoundResource, resourceAt } from '../../resources/index.ts'
import type { LivingUser } from '../../users/index.ts'
import { type AgentApproval, agentApprovals, approvalId, MOST_APPROVALS } from '../approvals.ts'
import type { OpenGrant } from '../decider.ts'
import { grants } from '../documents.ts'
import { pictureOf } from '../draw-picture.ts'
import type { Picture } from '../picture.ts'
import { grantRefusals } from '../refusals.ts'
import { validGrant } from '../validity.ts'

/** The IDs of the applications that such clients are begin with it; others can, too. */
const AGENT_IDS = 'agent-'
/** Scopes that are about no resource and that can be approved. */
const WITHOUT_RESOURCE = ['openid', 'offline_access']

interface Page {
  readonly limit: number
  readonly offset: number
  readonly descending: boolean
}

export interface AccessOfAgent {
  readonly grant: Document<OpenGrant>
  readonly user: Document<LivingUser>
  readonly application: LivingApplication
}

/** Organizations, as `call.visibleOwners()` answers them. */
export type Organizations = 'all' | readonly string[]

function inOrganizations(organizations: Organizations) {
  return organizations === 'all' ? [] : [{ field: 'owner', in: organizations } as const]
}

/** The access of such clients to accounts of organizations that counts now; `total` also counts what ended just now. */
export async function agentAccessIn(app: App, organizations: Organizations, page: Page) {
  const now = app.clock()
  const where = {
    all: [
      ...inOrganizations(organizations),
      { field: 'applicationId', startsWith: AGENT_IDS } as const,
      { field: 'endsAt', above: now } as const,
    ],
  }
  const { documents, total } = await app.store.find(grants, { where, orderBy: 'id', ...page })
  const found = await Promise.all(
    documents.map(async (document): Promise<readonly AccessOfAgent[]> => {
      const valid = await validGrant(app, document, now, { survivesLogout: true })
      const served = valid && (await activeApplication(app, valid.grant.state.subject.applicationId))
      if (valid === undefined || served?.application.state.agent === undefined) return []
      return [{ grant: valid.grant, user: valid.user, application: served.application.state }]
    }),
  )
  return { access: found.flat(), total }
}

/** Throws unless all scopes are of the resource, or about nothing that it has. */
function requireScopes({ scopes }: FoundResource, asked: readonly string[]): void {
  const known = [...WITHOUT_RESOURCE, ...scopes.map(({ key }) => key)]
  if (!asked.every((scope) => known.includes(scope))) throw refused(grantRefusals, 'grant.scope_unknown')
}

/** A client as it is now, with all places that it leads to. */
function pictureOfClient(
  { state }: Document<LivingApplication>,
  { uri, scopes }: FoundResource,
  asked: readonly string[],
): Picture {
  const redirectUris = state.config.type === 'oidc' ? state.config.redirectUris : []
  const shown = asked.map((key) => scopes.find((one) => one.key === key) ?? { key })
  return pictureOf({ clientId: state.clientId, name: state.name, redirectUris, scopes: shown, resource: uri })
}

export interface Approval {
  readonly organizationId: string
  readonly applicationId: string
  readonly resource: string
  readonly scopes: readonly string[]
}

/** Approves a client for all users of an organization. Everything that it depends on is checked in the write. */
export async function approveAgent(app: App, { origin, caller }: Pick<Call, 'origin' | 'caller'>, approval: Approval) {
  const { organizationId, applicationId, resource: uri, scopes } = approval
  await requireOrganization(app, organizationId)
  const { value } = await app.store.write(origin, async (work) => {
    const served = await activeApplication(app, applicationId, { reader: work })
    const resource = await resourceAt(app, uri, work)
    const isOwn = served?.application.state.agent !== undefined && resource?.project.id === served.project.id
    if (!isOwn || !(await hasProjectAccess(app, organizationId, resource.project, work))) {
      throw refused(grantRefusals, 'grant.not_approvable')
    }
    requireScopes(resource, scopes)
    const { clientId } = served.application.state
    const id = approvalId(organizationId, clientId, resource.uri)
    const picture = pictureOfClient(served.application, resource, scopes)
    const about = { clientId, applicationId, resource: resource.uri, scopes, picture }
    const by = reachIn(organizationId, caller.grants)
    const command = { type: 'give', ...about, at: origin.at, by } as const
    return work.decide(agentApprovals, id, command, organizationId)
  })
  return value
}

/** Withdraws an approval, if there is one; what rests on it alone ends in that commit. */
export async function withdrawApproval(
  app: App,
  origin: Origin,
  { organizationId, applicationId, resource }: Omit<Approval, 'scopes'>,
): Promise<void> {
  const all = { limit: MOST_APPROVALS, offset: 0, descending: false }
  const { approvals } = await approvalsOf(app, [organizationId], all)
  const found = approvals.filter(({ state }) => state.applicationId === applicationId && state.resource === resource)
  if (found.length === 0) return
  await app.store.write(origin, async (work) => {
    for (const { id } of found) await work.decide(agentApprovals, id, { type: 'withdraw' })
  })
}

export interface GivenApproval {
  readonly id: string
  readonly organizationId: string
  readonly state: Extract<AgentApproval, { readonly status: 'given' }>
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** The approvals of organizations. */
export async function approvalsOf(app: App, organizations: Organizations, page: Page) {
  const where = {
    all: [
      ...inOrganizations(organizations),
      // Withdrawn ones name no application.
      { field: 'applicationId', startsWith: AGENT_IDS } as const,
    ],
  }
  const { documents, total } = await app.store.find(agentApprovals, { where, orderBy: 'id', ...page })
  const approvals = documents.flatMap(({ id, owner, state, createdAt, changedAt }): readonly GivenApproval[] =>
    state.status === 'given' ? [{ id, organizationId: owner, state, createdAt, changedAt }] : [],
  )
  return { approvals, total }
}
