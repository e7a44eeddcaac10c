/** Removes what the source does not have any more, unless it was changed here since it came from there. */
import { resetMessageText } from '../../../features/mail/index.ts'
import {
  metadataId,
  organizationMetadata,
  removeMetadata,
  setOrganizationEntries,
  userMetadata,
} from '../../../features/metadata/index.ts'
import { importBrandAsset, resetImported, resetTranslation } from '../../../features/settings/index.ts'
import { hasPicture, setPicture, type users } from '../../../features/users/index.ts'
import { isTemporary, Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { carrierOf } from '../../carriers.ts'
import type { CarriedDraft, Removal } from '../draft.ts'
import { SLOTS } from './belonging.ts'
import { removerOf } from './carry.ts'
import { ChangedHere, isAsImported, WatchedWork } from './watched-work.ts'
import { arrivalOf, KEPT_HERE, ownerOf, type Remover, reasonOf } from './writing.ts'

export type Removed =
  | { readonly end: 'removed' | 'gone' }
  | { readonly end: 'kept' | 'refused'; readonly reason: string }

type Removers = {
  readonly [Kind in Exclude<Removal['kind'], CarriedDraft['kind']>]: Remover<Extract<Removal, { readonly kind: Kind }>>
}

const REMOVERS: Removers = {
  settings: {
    remove: (app, work, removal) => resetImported(work, ownerOf(app, removal), removal.section),
  },
  text: {
    async remove(app, work, removal) {
      const { messageType, language } = removal
      const owner = ownerOf(app, removal)
      if (messageType === undefined) await resetTranslation(work, owner, language)
      else await resetMessageText(work, owner, messageType, language)
    },
  },
  metadata: {
    async remove(_, work, { of, objectId, key }) {
      const id = metadataId(objectId, key)
      const entry = await (of === 'user' ? work.get(userMetadata, id) : work.get(organizationMetadata, id))
      if (entry?.state.status !== 'set') return
      if (of === 'user') await removeMetadata(work, objectId, [key])
      else await setOrganizationEntries(work, objectId, [{ key, value: new Uint8Array() }])
    },
  },
  picture: {
    async remove(app, work, removal) {
      const { of, objectId } = removal
      if (of !== 'user') return importBrandAsset(app, work, { owner: ownerOf(app, removal), slot: SLOTS[of] })
      if (!(await hasPicture(work, objectId, undefined))) await setPicture(app, work, objectId, undefined)
    },
  },
}

/** Removes an object. What a rule refuses is an answer; that the database is away, or too busy, is thrown. */
export async function removeObject(app: App, source: string, removal: Removal): Promise<Removed> {
  const carrier = carrierOf(removal.kind)
  const others = REMOVERS as unknown as Readonly<Record<string, Remover<Removal>>>
  const remover = carrier === undefined ? others[removal.kind] : removerOf(carrier)
  if (remover === undefined) throw new Error(`nothing removes a ${removal.kind}`)
  const { kind } = remover
  const at = app.clock()
  const arrival = arrivalOf(source, { createdAt: at, changedAt: at }, new Map())
  const origin = { actor: 'server', at, ...(remover.hasJobs !== true && { arrival }) } as const
  try {
    const { value } = await app.store.write(origin, async (work): Promise<Removed> => {
      const watched = new WatchedWork(work, new Set())
      if (kind !== undefined) {
        const id = remover.idOf?.(app, removal) ?? removal.id
        const found = await work.get(kind as typeof users, id)
        if (found === undefined || remover.isOne?.(found.state) === false) return { end: 'gone' }
        if (!(await isAsImported(app, kind.name, id))) throw new ChangedHere([`${kind.name} ${id}`])
      }
      await remover.remove(app, watched, removal)
      if (kind === undefined && !remover.othersChange) await watched.check(app)
      return { end: watched.isChange ? 'removed' : 'gone' }
    })
    return value
  } catch (error) {
    if (error instanceof ChangedHere) return { end: 'kept', reason: `It was removed there. ${KEPT_HERE}` }
    if (!(error instanceof Refused) || isTemporary(error)) throw error
    return { end: 'refused', reason: `It was removed there and stays here: ${reasonOf(error)}` }
  }
}
