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
import { hasPicture, setPicture } from '../../../features/users/index.ts'
import { isTemporary, Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { carrierOf } from '../../carriers.ts'
import type { CarriedDraft, Removal } from '../draft.ts'
import { SLOTS } from './belonging.ts'
import { ChangedHere, isAsImported, WatchedWork } from './watched-work.ts'
import { arrivalOf, KEPT_HERE, ownerOf, reasonOf } from './writing.ts'

export type Removed =
  | { readonly end: 'removed' | 'gone' }
  | { readonly end: 'kept' | 'refused'; readonly reason: string }

type Remove<Kind extends string> = (
  app: App,
  work: Work,
  removal: Extract<Removal, { readonly kind: Kind }>,
) => Promise<void>

/** Of kinds that do not yet say it by themselves. */
type Removers = { readonly [Kind in Exclude<Removal['kind'], CarriedDraft['kind']>]: Remove<Kind> }

const REMOVERS: Removers = {
  settings: (app, work, removal) => resetImported(work, ownerOf(app, removal), removal.section),
  async text(app, work, removal) {
    const { messageType, language } = removal
    const owner = ownerOf(app, removal)
    if (messageType === undefined) await resetTranslation(work, owner, language)
    else await resetMessageText(work, owner, messageType, language)
  },
  async metadata(_, work, { of, objectId, key }) {
    const id = metadataId(objectId, key)
    const entry = await (of === 'user' ? work.get(userMetadata, id) : work.get(organizationMetadata, id))
    if (entry?.state.status !== 'set') return
    if (of === 'user') await removeMetadata(work, objectId, [key])
    else await setOrganizationEntries(work, objectId, [{ key, value: new Uint8Array() }])
  },
  async picture(app, work, removal) {
    const { of, objectId } = removal
    if (of !== 'user') return importBrandAsset(app, work, { owner: ownerOf(app, removal), slot: SLOTS[of] })
    if (!(await hasPicture(work, objectId, undefined))) await setPicture(app, work, objectId, undefined)
  },
}

/** Removes an object as part of a write, unless it was changed here. */
async function removeIn(app: App, work: WatchedWork, removal: Removal): Promise<void> {
  const carrier = carrierOf(removal.kind)
  if (carrier === undefined) {
    await (REMOVERS[removal.kind as keyof Removers] as Remove<string>)(app, work, removal)
    await work.check(app)
    return
  }
  const { kind, carried } = carrier
  if (carried.remove === 'with its holder') return
  const { kind: _, ...draft } = { organizationId: '', ...removal }
  const { id, organizationId, ...body } = draft
  // What was changed here is asked of the whole document, or of what is changed in it.
  if (carried.has === undefined) {
    const documentId = carried.idOf?.(app, draft) ?? id
    const found = await work.get(kind, documentId)
    if (found === undefined || !carried.lives(found.state)) return
    if (!(await isAsImported(app, kind.name, documentId))) throw new ChangedHere([`${kind.name} ${documentId}`])
  }
  await carried.remove({ app, work, id, owner: ownerOf(app, { organizationId }), draft: body })
  if (carried.has !== undefined && !carried.othersChange) await work.check(app)
}

/** Removes an object. What a rule refuses is an answer; that the database is away, or too busy, is thrown. */
export async function removeObject(app: App, source: string, removal: Removal): Promise<Removed> {
  const at = app.clock()
  const arrival = arrivalOf(source, { createdAt: at, changedAt: at }, new Map())
  const isContinued = carrierOf(removal.kind)?.carried.removalContinues
  const origin = { actor: 'server', at, ...(!isContinued && { arrival }) } as const
  try {
    const { value } = await app.store.write(origin, async (given): Promise<Removed> => {
      const work = new WatchedWork(given, new Set())
      await removeIn(app, work, removal)
      return { end: work.isChange ? 'removed' : 'gone' }
    })
    return value
  } catch (error) {
    if (error instanceof ChangedHere) return { end: 'kept', reason: `It was removed there. ${KEPT_HERE}` }
    if (!(error instanceof Refused) || isTemporary(error)) throw error
    return { end: 'refused', reason: `It was removed there and stays here: ${reasonOf(error)}` }
  }
}
