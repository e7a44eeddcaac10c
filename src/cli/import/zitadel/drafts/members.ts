/** Administrators and metadata as drafts. */
import { rolesAt } from '../../../../kernel/role.ts'
import type { AdministratorDraft } from '../../draft.ts'
import type { Dated, Folded, Parts } from '../fold.ts'
import {
  instanceMembers,
  type MemberState,
  organizationMembers,
  organizationMetadata,
  projectMembers,
  userMetadata,
} from '../folds/members.ts'
import { folded, type Item, type Reading, remark, removed } from '../reading.ts'
import type { World } from '../world.ts'

type Place = Pick<AdministratorDraft, 'level' | 'objectId' | 'projectId' | 'organizationId'>

/** What a member administers; undefined when that is gone. */
function placeOf(
  aggregate: Folded<Parts<MemberState>>,
  type: string,
  grantId: string,
  world: World,
): Place | undefined {
  const { id, owner } = aggregate
  if (type === 'instance') return { level: 'instance', objectId: id, organizationId: '' }
  if (type === 'org') {
    return world.organizations.has(id) ? { level: 'organization', objectId: id, organizationId: id } : undefined
  }
  if (!world.projects.has(id)) return undefined
  if (grantId === '') return { level: 'project', objectId: id, organizationId: owner }
  if (!world.grants.has(grantId)) return undefined
  return { level: 'project-grant', objectId: grantId, projectId: id, organizationId: owner }
}

function* draftOf(place: Place, { value, createdAt, changedAt }: Dated<MemberState>): Generator<Item> {
  const { userId } = value
  const id = `${place.objectId}:${userId}`
  const known = rolesAt(place.level === 'project-grant' ? 'project_grant' : place.level)
  const roles = value.roles.filter((role) => known.includes(role))
  const unknown = value.roles.filter((role) => !known.includes(role))
  if (unknown.length > 0) {
    const list = unknown.join(', ')
    yield remark('administrator', id, `There is no role ${list} here.`)
  }
  if (roles.length > 0) yield { kind: 'administrator', id, createdAt, changedAt, ...place, userId, roles }
}

export async function* administratorDrafts(reading: Reading): AsyncGenerator<Item> {
  const { world } = reading
  for (const folding of [instanceMembers, organizationMembers, projectMembers]) {
    for await (const aggregate of folded(reading, folding)) {
      for (const key of aggregate.state.gone) {
        const [grantId = '', userId = ''] = key.split(' ')
        yield removed('administrator', `${grantId || aggregate.id}:${userId}`)
      }
      for (const member of aggregate.state.living.values()) {
        const { userId, grantId = '' } = member.value
        const place = placeOf(aggregate, folding.aggregateType, grantId, world)
        if (place && world.users.has(userId)) yield* draftOf(place, member)
      }
    }
  }
}

export async function* metadataDrafts(reading: Reading): AsyncGenerator<Item> {
  const { organizations, users } = reading.world
  const sources = [
    { of: 'organization', folding: organizationMetadata, living: organizations },
    { of: 'user', folding: userMetadata, living: users },
  ] as const
  for (const { of, folding, living } of sources) {
    for await (const { id: objectId, owner, state } of folded(reading, folding)) {
      for (const key of state.gone) yield removed('metadata', `${objectId}:${key}`)
      if (!living.has(objectId)) continue
      for (const [key, { value, createdAt, changedAt }] of state.living) {
        const id = `${objectId}:${key}`
        yield { kind: 'metadata', id, organizationId: owner, createdAt, changedAt, of, objectId, key, value }
      }
    }
  }
}
