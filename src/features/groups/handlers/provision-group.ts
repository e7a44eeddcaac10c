/** Groups as a directory describes them: name, metadata and members together. */

import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import type { NewMetadata } from '../../metadata/index.ts'
import { users } from '../../users/index.ts'
import { groupMembers, isInGroup, memberOfId } from '../documents.ts'
import { groupRefusals } from '../refusals.ts'
import { addGroupIn, checkTexts } from './change-group.ts'
import { AT_ONCE, addMembersIn, removeMembersIn } from './change-members.ts'
import { changeTexts, manageGroup } from './managed.ts'
import { setGroupEntries } from './set-metadata.ts'

/** Who comes and who goes; nobody else is touched. */
export interface MembersChange {
  readonly added: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
}

export interface ProvisionedGroup {
  readonly name: string
  readonly entries: readonly NewMetadata[]
  readonly members: MembersChange
}

/** What one commit does with members: few enough that others do not wait. */
interface Piece {
  readonly added: string[]
  readonly removed: string[]
}

/** Those who leave come first: they lose rights, and make room. */
function piecesOf({ added, removed }: MembersChange): readonly Piece[] {
  const steps = [
    ...[...removed].map((id) => ['removed', id] as const),
    ...[...added].map((id) => ['added', id] as const),
  ]
  const pieces: Piece[] = []
  for (const [index, [list, id]] of steps.entries()) {
    if (index % AT_ONCE === 0) pieces.push({ added: [], removed: [] })
    pieces.at(-1)?.[list].push(id)
  }
  return pieces
}

/** How many users are looked for with one question. */
const LOOKED_UP_AT_ONCE = 500

/** Throws unless all who are new belong to the organization and are people, as all are whom a directory knows. */
async function requirePeople(
  app: App,
  groupId: string | undefined,
  organizationId: string,
  userIds: ReadonlySet<string>,
): Promise<void> {
  const all = [...userIds]
  for (let from = 0; from < all.length; from += LOOKED_UP_AT_ONCE) {
    const ids = all.slice(from, from + LOOKED_UP_AT_ONCE)
    const where = {
      all: [
        { field: 'id', in: ids } as const,
        { field: 'owner', equals: organizationId } as const,
        { field: 'type', equals: 'human' } as const,
      ],
    }
    const found = new Set(await app.store.findIds(users, where, ids.length))
    for (const id of ids) {
      // An administrator may have added a machine user, which a directory then names with all others.
      if (found.has(id) || (groupId !== undefined && (await isInGroup(app.store, groupId, id)))) continue
      const violations = [{ field: 'members', description: `must not contain ${id}` }]
      throw refused(groupRefusals, 'group.user_not_found', { violations })
    }
  }
}

/** The IDs of the users in a group, up to `limit` of them. */
export async function groupMemberIds(app: App, groupId: string, limit?: number): Promise<readonly string[]> {
  const ids = await app.store.findIds(groupMembers, { field: 'groupId', equals: groupId }, limit)
  return ids.map((id) => memberOfId(id).userId)
}

/**
 * `first` begins the first commit, which has everything except for members beyond the first hundred, and returns the ID of
 * the group; `knownId`: of a group that is there already.
 */
async function write(
  app: App,
  call: Call,
  { name, entries, members }: ProvisionedGroup,
  first: (work: Work) => Promise<string>,
  knownId?: string,
): Promise<string> {
  checkTexts({ name })
  await requirePeople(app, knownId, call.organizationId, members.added)
  const [begin, ...later] = piecesOf(members)
  const change = async (work: Work, id: string, piece: Piece | undefined) => {
    if (piece === undefined) return
    await removeMembersIn(app, work, id, piece.removed)
    await addMembersIn(work, id, piece.added, call.at)
  }
  const { value: id } = await app.store.write(call.origin, async (work) => {
    const groupId = await first(work)
    await setGroupEntries(work, groupId, entries)
    await manageGroup(work, groupId)
    await change(work, groupId, begin)
    return groupId
  })
  for (const piece of later) {
    // What nobody waits for any more is left undone; the directory sends it again.
    call.signal.throwIfAborted()
    await app.store.write(call.origin, (work) => change(work, id, piece))
  }
  return id
}

/** Adds a group with everything that belongs to it. */
export function addProvisionedGroup(app: App, call: Call, group: ProvisionedGroup): Promise<string> {
  const { organizationId } = call
  const { name } = group
  return write(app, call, group, async (work) => {
    return (await addGroupIn(app, work, { organizationId, name, description: '' })).id
  })
}

/** Changes a group; `check` can refuse it in the same write. */
export async function changeProvisionedGroup(
  app: App,
  call: Call,
  id: string,
  group: ProvisionedGroup,
  check: (work: Work) => Promise<void>,
): Promise<void> {
  const change = async (work: Work) => {
    await check(work)
    await changeTexts(work, id, { name: group.name })
    return id
  }
  await write(app, call, group, change, id)
}
