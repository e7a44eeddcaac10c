/** Administrators at every level, and metadata. */
import { need, optional, type PeerEvent, text, texts } from '../event.ts'
import { type Changes, type Folding, Parts } from '../fold.ts'

/** The roles of a user at a level. */
export interface MemberState {
  readonly userId: string
  /** Of a project grant. */
  readonly grantId?: string
  readonly roles: readonly string[]
}

function memberKey(event: PeerEvent): string {
  return [optional(event, 'grantId', text) ?? '', need(event, 'userId', text)].join(' ')
}

function put(members: Parts<MemberState>, event: PeerEvent): void {
  const grantId = optional(event, 'grantId', text)
  const roles = optional(event, 'roles', texts) ?? []
  members.put(memberKey(event), { userId: need(event, 'userId', text), ...(grantId && { grantId }), roles }, event)
}

function remove(members: Parts<MemberState>, event: PeerEvent): void {
  members.remove(memberKey(event))
}

function membersOf(
  aggregateType: string,
  bases: readonly string[],
  ends: readonly string[],
): Folding<Parts<MemberState>> {
  const changes: Changes<Parts<MemberState>> = Object.fromEntries(
    bases.flatMap((base) => [
      [`${base}.member.added`, put] as const,
      [`${base}.member.changed`, put] as const,
      [`${base}.member.removed`, remove] as const,
      [`${base}.member.cascade.removed`, remove] as const,
    ]),
  )
  return { aggregateType, initial: () => new Parts(), changes, ends }
}

export const instanceMembers = membersOf('instance', ['instance', 'iam'], [])
export const organizationMembers = membersOf('org', ['org'], ['org.removed'])
export const projectMembers = membersOf('project', ['project', 'project.grant'], ['project.removed'])

/** Base64 by key. */
type Metadata = Parts<string>

function metadataOf(aggregateType: string, base: string, ends: readonly string[]): Folding<Metadata> {
  return {
    aggregateType,
    initial: () => new Parts(),
    ends,
    changes: {
      [`${base}.metadata.set`]: (entries, event) =>
        entries.put(need(event, 'key', text), optional(event, 'value', text) ?? '', event),
      [`${base}.metadata.removed`]: (entries, event) => entries.remove(need(event, 'key', text)),
      [`${base}.metadata.removed.all`]: (entries) => entries.clear(),
    },
  }
}

export const organizationMetadata = metadataOf('org', 'org', ['org.removed'])
export const userMetadata = metadataOf('user', 'user', ['user.removed'])
