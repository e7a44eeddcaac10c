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

const LEVELS: Readonly<Record<string, AdministratorDraft['level']>> = {
  instance: 'instance',
  org: 'organization',
  project: 'project',
}

/** What a member administers; undefined when that is gone. */
async function placeOf(
  aggregate: Folded<Parts<MemberState>>,
  type: string,
  grantId: string,
  world: World,
): Promise<Place | undefined> {
  const { id, owner } = aggregate
  if (type === 'instance') return { level: 'instance', objectId: id, organizationId: '' }
  if (type === 'org') {
    return (await world.organization(id)) ? { level: 'organization', objectId: id, organizationId: id } : undefined
  }
  if (!(await world.project(id))) return undefined
  if (grantId === '') return { level: 'project', objectId: id, organizationId: owner }
  if (!(await world.grant(id, grantId))) return undefined
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
        const objectId = grantId || aggregate.id
        const level = grantId === '' ? LEVELS[folding.aggregateType] : 'project-grant'
        if (level) yield removed({ kind: 'administrator', id: `${objectId}:${userId}`, level, objectId, userId })
      }
      for (const member of aggregate.state.living.values()) {
        const { userId, grantId = '' } = member.value
        const place = await placeOf(aggregate, folding.aggregateType, grantId, world)
        if (place && (await world.hasUser(userId))) yield* draftOf(place, member)
      }
    }
  }
}

export async function* metadataDrafts(reading: Reading): AsyncGenerator<Item> {
  const { world } = reading
  const sources = [
    {
      of: 'organization',
      folding: organizationMetadata,
      isLiving: async (id: string) => !!(await world.organization(id)),
    },
    { of: 'user', folding: userMetadata, isLiving: async (id: string) => world.hasUser(id) },
  ] as const
  for (const { of, folding, isLiving } of sources) {
    for await (const { id: objectId, owner, state } of folded(reading, folding)) {
      for (const key of state.gone) yield removed({ kind: 'metadata', id: `${objectId}:${key}`, of, objectId, key })
      if (!(await isLiving(objectId))) continue
      for (const [key, { value, createdAt, changedAt }] of state.living) {
        const id = `${objectId}:${key}`
        yield { kind: 'metadata', id, organizationId: owner, createdAt, changedAt, of, objectId, key, value }
      }
    }
  }
}
