/** Sets the picture of a human user as part of a write. */
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { isSameAsset, removeAsset, storeAsset } from '../../assets/index.ts'
import { readActiveHuman } from '../active-person.ts'
import { users } from '../documents.ts'
import type { User } from '../state.ts'

/** Sets the picture; without bytes it is removed. The one before is removed permanently. */
export async function setPicture(
  app: App,
  work: Work,
  userId: string,
  bytes: Buffer | undefined,
): Promise<Document<User>> {
  const { owner, state } = await readActiveHuman(work, userId)
  const asset = bytes && (await storeAsset(app, work, { use: 'portrait', bytes, owner }))
  const command = asset ? ({ type: 'set_avatar', asset } as const) : ({ type: 'remove_avatar' } as const)
  const decided = await work.decide(users, userId, command)
  if (state.avatar !== undefined) await removeAsset(work, state.avatar)
  return decided
}

/** Whether the user has exactly this picture, or none if there are no bytes. */
export async function hasPicture(work: Work, userId: string, bytes: Buffer | undefined): Promise<boolean> {
  const state = (await work.get(users, userId))?.state
  const avatar = state !== undefined && 'avatar' in state ? state.avatar : undefined
  return bytes === undefined || avatar === undefined ? bytes === avatar : isSameAsset(avatar, 'portrait', bytes)
}
