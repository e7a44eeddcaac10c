/** Adds and changes machine users. */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import {
  addMachineTo,
  isLiving,
  type MachineProfile,
  renameUser,
  type User,
  userRefusals,
  users,
} from '../../users/index.ts'

export interface NewMachine {
  /** Chosen by the caller; otherwise generated in the write. */
  readonly userId: string | undefined
  readonly organizationId: string
  /** Without a name, the ID is the name. */
  readonly machine: MachineProfile & { readonly userName: string | undefined }
}

/** Additional writes of a caller, in the same commit. */
type Together = (work: Work, userId: string) => Promise<unknown>

async function nothingMore(): Promise<void> {}

/** Adds a machine user, together with `more`. */
export function addMachine(
  app: App,
  origin: Origin,
  { machine, ...user }: NewMachine,
  more: Together = nothingMore,
): Promise<Written<Document<User>>> {
  return app.store.write(origin, async (work) => {
    const added = await addMachineTo(app, work, { ...user, command: { type: 'add_machine', ...machine } })
    await more(work, added.id)
    return added
  })
}

/** The changes to a machine user. Fields that are not given do not change. */
export interface MachineChange {
  readonly userName?: string | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly accessTokenType?: MachineProfile['accessTokenType'] | undefined
}

/** Changes the given fields of a machine user, together with `more`. A change without effect is not an error. */
export function changeMachine(
  app: App,
  origin: Origin,
  userId: string,
  change: MachineChange,
  more: Together = nothingMore,
): Promise<Written<void>> {
  return app.store.write(origin, async (work) => {
    await changeMachineIn(app, work, userId, change)
    await more(work, userId)
  })
}

/** Changes the given fields of a machine user as part of a write. */
export async function changeMachineIn(app: App, work: Work, userId: string, change: MachineChange): Promise<void> {
  const before = await work.get(users, userId)
  if (before === undefined) throw refused(userRefusals, 'user.not_found')
  if (!isLiving(before.state) || before.state.type !== 'machine') throw refused(userRefusals, 'user.not_machine')
  if (change.userName !== undefined) await renameUser(app, work, before, change.userName)
  const { name, description, accessTokenType } = before.state
  const profile = {
    name: change.name ?? name,
    description: change.description ?? description,
    accessTokenType: change.accessTokenType ?? accessTokenType,
  }
  const isSame =
    profile.name === name && profile.description === description && profile.accessTokenType === accessTokenType
  if (!isSame) await work.decide(users, userId, { type: 'change_machine', ...profile })
}
