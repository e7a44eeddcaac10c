/** How memberships are carried: who administers what. */
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type Arriving, type BodyOf, type Draft, declare, nothingElse } from '../../module/carried.ts'
import { type MembershipScope, membershipIdIn, memberships } from '../memberships/index.ts'
import {
  findProject,
  placeOf,
  placeOfGrant,
  projectGrantRefusals,
  projectRefusals,
  readProjectGrant,
} from '../projects/index.ts'
import { appointMember } from './handlers/add-member.ts'
import { followMember } from './handlers/change-member.ts'

export interface AdministratorDraft extends Draft<'administrator'> {
  readonly userId: string
  readonly level: 'instance' | 'organization' | 'project' | 'project-grant'
  /** The ID of what is administered; of a project grant, `projectId` too. */
  readonly objectId: string
  readonly projectId?: string | undefined
  readonly roles: readonly string[]
  readonly addedAt?: Instant | undefined
}

type Body = BodyOf<AdministratorDraft>

async function scopeOf({ app, work, draft }: Arriving<Body>): Promise<MembershipScope> {
  const { level, objectId: id, projectId = id } = draft
  if (level === 'instance') return { level, id: app.instanceId }
  if (level === 'organization') return { level, id }
  const project = await findProject(app, projectId, work)
  if (project === undefined) throw refused(projectRefusals, 'project.not_found')
  if (level === 'project') return { level, id, place: placeOf(project) }
  const grant = await readProjectGrant(app, id, work)
  if (grant === undefined) throw refused(projectGrantRefusals, 'project_grant.not_found')
  return { level: 'project_grant', id, place: await placeOfGrant(app, grant) }
}

function idOf({ instanceId }: App, { level, objectId, userId }: Pick<Body, 'level' | 'objectId' | 'userId'>): string {
  const id = level === 'instance' ? instanceId : objectId
  return membershipIdIn({ level: level === 'project-grant' ? 'project_grant' : level, id }, userId)
}

export const carriedMemberships = declare(memberships, {
  as: 'administrator',
  after: ['metadata', 'project-grant'],
  lives: ['member'],
  describe({ status: _, search: __, userOrganizationId: ___, level, scopeId, project, ...member }): Body {
    const { userId, roles, addedAt, ...rest } = member
    nothingElse(rest)
    const held = { userId, roles, addedAt, objectId: level === 'instance' ? '' : scopeId }
    return level === 'project_grant' ? { ...held, level: 'project-grant', projectId: project?.id } : { ...held, level }
  },
  idOf,
  async put(arriving, before) {
    const { app, work, draft } = arriving
    const { userId, level: _, objectId: __, projectId: ___, roles, addedAt, ...rest } = draft
    nothingElse(rest)
    if (before === undefined) await appointMember(work, { scope: await scopeOf(arriving), userId, roles, addedAt })
    else await followMember(app, work, { membershipId: idOf(app, draft), roles })
  },
  remove: ({ app, work, draft }) => followMember(app, work, { membershipId: idOf(app, draft), roles: [] }),
})
