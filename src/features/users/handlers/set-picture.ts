/** Sets the picture of a human user as part of a write. */
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { removeAsset, storeAsset } from '../../assets/index.ts'
import { readActiveHuman } from '../active-person.ts'
import { users } from '../documents.ts'

/** Sets the picture; without bytes it is removed. The one before is removed for good. */
export async function setPicture(app: App, work: Work, userId: string, bytes: Buffer | undefined): Promise<void> {
  const { owner, state } = await readActiveHuman(work, userId)
  const asset = bytes && (await storeAsset(app, work, { use: 'portrait', bytes, owner }))
  const command = asset ? ({ type: 'set_avatar', asset } as const) : ({ type: 'remove_avatar' } as const)
  await work.decide(users, userId, command)
  if (state.avatar !== undefined) await removeAsset(work, state.avatar)
}
