/** Texts and files that another product had, as part of a write. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@bufbuild/protobuf'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { isSameAsset, storeAsset } from '../../assets/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { settings } from '../documents.ts'
import { checkedTexts, pageLanguage, pageTexts, pageTextsId } from '../page-texts/page-texts.ts'
import { loginTranslations, translationId } from '../translations.ts'
import type { BrandingSlot } from '../values.ts'
import { decideSettings } from './change-settings.ts'

async function requireOwner(app: App, work: Work, owner: string): Promise<void> {
  if (owner !== app.instanceId) await requireOrganization(app, owner, work)
}

/** A file of the look, which becomes part of what applies; without bytes there is none. */
export async function importBrandAsset(
  app: App,
  work: Work,
  { owner, slot, bytes }: { readonly owner: string; readonly slot: BrandingSlot; readonly bytes?: Buffer },
): Promise<void> {
  await requireOwner(app, work, owner)
  const known = (await work.get(settings, owner))?.state.branding?.assets?.[slot]
  const use = slot === 'font' ? 'font' : 'image'
  if (bytes === undefined ? known === undefined : known !== undefined && isSameAsset(known, use, bytes)) return
  const asset = bytes && (await storeAsset(app, work, { use, bytes, owner }))
  await decideSettings(work, owner, { type: 'draft_asset', manner: 'put', slot, ...(asset && { asset }) })
  await decideSettings(work, owner, { type: 'activate_branding', manner: 'put' })
}

/** Custom texts of the hosted pages in one language. */
export async function importPageTexts(
  app: App,
  work: Work,
  owner: string,
  { language: tag, texts: given }: { readonly language: string; readonly texts: Readonly<Record<string, string>> },
): Promise<void> {
  await requireOwner(app, work, owner)
  const language = pageLanguage(tag)
  const texts = checkedTexts(
    Object.entries(given).map(([key, text]) => ({ key, text })),
    'texts',
  )
  await work.decide(pageTexts, pageTextsId(owner, language), { type: 'set', language, texts }, owner)
}

export interface ImportedTranslation {
  readonly language: string
  readonly texts: Readonly<Record<string, string>>
  /** As a login app has set them, instead of the texts. */
  readonly translations?: JsonObject | undefined
}

/** Texts of a login app in one language; the names of groups come first in a key, with dots between. */
export async function importTranslation(
  app: App,
  work: Work,
  owner: string,
  { language, texts, translations: given }: ImportedTranslation,
): Promise<void> {
  await requireOwner(app, work, owner)
  const translations = given ?? nested(Object.entries(texts).map(([key, text]) => [key.split('.'), text]))
  const id = translationId(owner, language)
  const known = (await work.get(loginTranslations, id))?.state
  // Whatever the order of its members is: PostgreSQL changes that.
  if (known?.status === 'set' && isDeepStrictEqual(known.translations, translations)) return
  await work.decide(loginTranslations, id, { type: 'set', translations }, owner)
}

type Entry = readonly [path: readonly string[], text: string]

function nested(entries: readonly Entry[]): JsonObject {
  const groups = Map.groupBy(entries, ([[first = '']]) => first)
  const members = [...groups].map(([name, group]): [string, JsonObject | string] => {
    const leaf = group.find(([path]) => path.length === 1)
    return [name, leaf ? leaf[1] : nested(group.map(([path, text]) => [path.slice(1), text]))]
  })
  // Unlike an assignment, this makes `__proto__` a member like any other.
  return Object.fromEntries(members)
}

/** Texts of a login app that another product does not have any more, as part of a write. */
export async function resetTranslation(work: Work, owner: string, language: string): Promise<void> {
  const id = translationId(owner, language)
  if ((await work.get(loginTranslations, id))?.state.status !== 'set') return
  await work.decide(loginTranslations, id, { type: 'set', translations: {} })
}
