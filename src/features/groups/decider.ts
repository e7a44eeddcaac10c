/** The rules of groups, of memberships in them, and of their metadata. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { searchText } from '../../kernel/fold-text.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { DirectoryOverride, Management } from '../../kernel/managed.ts'
import { nameKey, nameProblem } from '../../kernel/name.ts'
import { searchedValue } from '../../kernel/searched-value.ts'
import type { GroupEvent, GroupMemberEvent, GroupMetadataEvent, GroupTexts } from './events.ts'
import type { GroupRefusal } from './refusals.ts'

export interface LivingGroup extends GroupTexts {
  readonly status: 'existing'
  readonly organizationId: string
  /** The directory that feeds the group in. */
  readonly managedBy?: Management
  readonly search: {
    /** Folded, for filters and sorting that ignore case. */
    readonly name: string
    /** The key of the name, unique in the organization. */
    readonly nameKey: string
  }
}

export type Group = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingGroup

export type GroupCommand =
  | ({ readonly type: 'add'; readonly organizationId: string } & GroupTexts)
  | ({ readonly type: 'change'; readonly texts: Partial<GroupTexts> } & DirectoryOverride)
  | { readonly type: 'manage'; readonly directoryId: string; readonly at: Instant }
  | { readonly type: 'release' }
  | { readonly type: 'remove' }

function withTexts(group: Omit<LivingGroup, 'search'>, texts: Partial<GroupTexts>): LivingGroup {
  const changed = { ...group, ...texts }
  return { ...changed, search: { name: searchText(changed.name), nameKey: nameKey(changed.name) } }
}

/** The texts that differ from the current ones. */
function changesOf(state: LivingGroup, { name, description }: Partial<GroupTexts>): Partial<GroupTexts> {
  return {
    ...(name !== undefined && name !== state.name && { name }),
    ...(description !== undefined && description !== state.description && { description }),
  }
}

export const group: Decider<GroupCommand, Group, GroupEvent, GroupRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, { type, data }) {
    if (type === 'group.added.v1') return withTexts({ ...data, status: 'existing' }, {})
    if (state.status !== 'existing') return state
    switch (type) {
      case 'group.removed.v1':
        return { status: 'removed' }
      case 'group.managed.v1':
        return { ...state, managedBy: data }
      case 'group.released.v1': {
        const { managedBy: _, ...rest } = state
        return rest
      }
      default:
        return withTexts(state, data)
    }
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('group.id_taken')
      if (nameProblem(command.name) !== undefined) return refuse('group.name_invalid')
      const { type: _, ...data } = command
      return accept({ type: 'group.added.v1', data })
    }
    // A removal that is repeated succeeds.
    if (state.status === 'removed' && command.type === 'remove') return accept()
    if (state.status !== 'existing') return refuse('group.not_found')
    if (command.type === 'remove') return accept({ type: 'group.removed.v1', data: {} })
    if (command.type === 'manage') {
      const { directoryId, at: since } = command
      if (state.managedBy?.directoryId === directoryId) return accept()
      return accept({ type: 'group.managed.v1', data: { directoryId, since } })
    }
    if (command.type === 'release') {
      return state.managedBy === undefined ? accept() : accept({ type: 'group.released.v1', data: {} })
    }
    const changes = changesOf(state, command.texts)
    if (changes.name !== undefined && state.managedBy !== undefined && command.overridesDirectory !== true) {
      return refuse('group.managed')
    }
    if (changes.name !== undefined && nameProblem(changes.name) !== undefined) return refuse('group.name_invalid')
    return Object.keys(changes).length === 0 ? accept() : accept({ type: 'group.changed.v1', data: changes })
  },
}

type Added = Extract<GroupMemberEvent, { readonly type: 'group_member.added.v1' }>['data']

/** When somebody last joined or left, also of those who are gone: the group has changed then. */
interface Turn {
  readonly groupId: string
  readonly at: Instant
  /** Group and time in one text: of all texts of a group, the greatest is the last. */
  readonly key: string
}

/**
 * Not gone when it is removed, because the same user can join again. It then has none of the fields of members, so no list
 * finds it.
 */
export type GroupMember =
  | { readonly status: 'none'; readonly turn?: Turn }
  | ({ readonly status: 'member'; readonly turn: Turn } & Added)

export type GroupMemberCommand =
  | ({ readonly type: 'add' } & Added)
  | { readonly type: 'remove'; readonly removedAt: Instant }

/** The beginning of the keys of a group. No group ID has a space. */
export function turnPrefix(groupId: string): string {
  return `${groupId} `
}

function turnOf(groupId: string, at: Instant): Turn {
  return { groupId, at, key: `${turnPrefix(groupId)}${at.toString(36).padStart(11, '0')}` }
}

export const groupMember: Decider<GroupMemberCommand, GroupMember, GroupMemberEvent, never> = {
  initial: { status: 'none' },

  evolve(state, { type, data }) {
    if (type === 'group_member.added.v1') {
      return { status: 'member', ...data, turn: turnOf(data.groupId, data.addedAt) }
    }
    const { turn } = state
    return { status: 'none', ...(turn && { turn: turnOf(turn.groupId, data.removedAt ?? turn.at) }) }
  },

  decide(command, state) {
    if (command.type === 'remove') {
      const { type: _, ...data } = command
      return state.status === 'none' ? accept() : accept({ type: 'group_member.removed.v1', data })
    }
    if (state.status === 'member') return accept()
    const { type: _, ...data } = command
    return accept({ type: 'group_member.added.v1', data })
  },
}

type SetEntry = Extract<GroupMetadataEvent, { readonly type: 'group_metadata.set.v1' }>['data']

/** An entry of a group. */
export type GroupMetadata =
  | { readonly status: 'none' }
  | ({
      readonly status: 'set'
      /** Characters of the value. */
      readonly size: number
      readonly search: { readonly key: string; readonly value: string }
    } & SetEntry)

export type GroupMetadataCommand = ({ readonly type: 'set' } & SetEntry) | { readonly type: 'remove' }

export const groupMetadataEntry: Decider<GroupMetadataCommand, GroupMetadata, GroupMetadataEvent, never> = {
  initial: { status: 'none' },

  evolve(_, { type, data }) {
    if (type === 'group_metadata.removed.v1') return { status: 'none' }
    return {
      status: 'set',
      ...data,
      size: data.value.length,
      search: { key: searchText(data.key), value: searchedValue(data.value) },
    }
  },

  decide(command, state) {
    if (command.type === 'remove') {
      return state.status === 'none' ? accept() : accept({ type: 'group_metadata.removed.v1', data: {} })
    }
    const { type: _, ...data } = command
    if (state.status === 'set' && state.value === data.value) return accept()
    return accept({ type: 'group_metadata.set.v1', data })
  },
}
