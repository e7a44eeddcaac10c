/** Texts of a login app that an instance or an organization has set: one document for each owner and language. */
import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { accept, type Decider } from '../../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { kind, type Origin } from '../../store/index.ts'
import { requireOrganization } from '../organizations/index.ts'
import { settingsRefusals } from './refusals.ts'

const translationEvents = declareEvents({
  /** All texts of one owner in one language; the stream is named by both. */
  'login_translation.set.v1': data<{ readonly translations: JsonObject }>(),
  /** The organization was removed. */
  'login_translation.removed.v1': data(),
})

type TranslationEvent = EventOf<typeof translationEvents>
type Translation =
  | { readonly status: 'none' | 'removed' }
  | { readonly status: 'set'; readonly translations: JsonObject }
type TranslationCommand = { readonly type: 'set'; readonly translations: JsonObject } | { readonly type: 'remove' }

const translationDecider: Decider<TranslationCommand, Translation, TranslationEvent, never> = {
  initial: { status: 'none' },
  evolve: (_, event) =>
    event.type === 'login_translation.removed.v1'
      ? { status: 'removed' }
      : { status: 'set', translations: event.data.translations },
  decide(command, state) {
    if (command.type === 'remove') return accept({ type: 'login_translation.removed.v1', data: {} })
    const { translations } = command
    const isSame = state.status === 'set' && etagOf(state.translations) === etagOf(translations)
    return isSame ? accept() : accept({ type: 'login_translation.set.v1', data: { translations } })
  },
}

/** The id is that of the owner and the language tag, with a space between them. */
export const loginTranslations = kind({
  name: 'login-translation',
  ids: { joined: ['owner', 'language'] },
  waits: false,
  path: false,
  version: 1,
  events: translationEvents,
  decider: translationDecider,
  refusals: {},
  fields: {},
  isGone: (state) => state.status === 'removed',
  limits: [
    { things: 'languages with login texts', holder: 'an organization or the instance', by: ['owner'], number: 100 },
  ],
  largest: 262_144,
})

/** Changes with the texts; 32 characters. */
export function etagOf(translations: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(translations)).digest('hex').slice(0, 32)
}

/** The canonical form of a language tag: `de-ch` becomes `de-CH`. */
function canonicalLocale(locale: string): string {
  try {
    const [canonical] = Intl.getCanonicalLocales(locale)
    if (canonical !== undefined) return canonical
  } catch {
    // Not a language tag.
  }
  const violations = [{ field: 'locale', description: 'must be a language tag' }]
  throw refused(settingsRefusals, 'settings.locale_invalid', { violations })
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Texts over others; groups of texts are merged. */
export function mergeTexts(below: JsonObject, above: JsonObject): JsonObject {
  const merged = new Map(Object.entries(below))
  for (const [name, value] of Object.entries(above)) {
    const under = merged.get(name)
    merged.set(name, isObject(value) && isObject(under) ? mergeTexts(under, value) : value)
  }
  // Unlike an assignment, this makes `__proto__` a member like any other.
  return Object.fromEntries(merged)
}

async function readTexts({ store }: App, owner: string, locale: string): Promise<JsonObject> {
  const state = (await store.get(loginTranslations, `${owner} ${locale}`))?.state
  return state?.status === 'set' ? state.translations : {}
}

/**
 * The texts that apply: those of the organization over those of the instance, and of a region over those of its
 * language. `alone`: only those that this owner has set for exactly this language tag.
 */
export async function findTranslation(app: App, owner: string, locale: string, alone: boolean): Promise<JsonObject> {
  const exact = canonicalLocale(locale)
  if (alone) return readTexts(app, owner, exact)
  const language = new Intl.Locale(exact).language
  const owners = owner === app.instanceId ? [owner] : [app.instanceId, owner]
  let texts: JsonObject = {}
  for (const from of owners) {
    for (const tag of new Set([language, exact])) texts = mergeTexts(texts, await readTexts(app, from, tag))
  }
  return texts
}

/** The ID of the texts of an owner in a language. Throws when that is not one. */
export function translationId(owner: string, locale: string): string {
  return `${owner} ${canonicalLocale(locale)}`
}

/** Sets all texts of the instance or of an organization in one language. */
export async function setTranslation(
  app: App,
  origin: Origin,
  owner: string,
  { locale, translations }: { readonly locale: string; readonly translations: JsonObject },
): Promise<void> {
  const id = translationId(owner, locale)
  await app.store.write(origin, async (work) => {
    if (owner !== app.instanceId) await requireOrganization(app, owner, work)
    return work.decide(loginTranslations, id, { type: 'set', translations }, owner)
  })
}

/** Removes texts of a removed organization, and returns how many. */
export async function removeTranslationsOf(
  { store }: App,
  organizationId: string,
  origin: Origin,
  limit: number,
): Promise<number> {
  const where = { field: 'owner', equals: organizationId } as const
  const { documents } = await store.find(loginTranslations, { where, orderBy: 'id', limit })
  for (const { id } of documents) {
    await store.write(origin, async (work) => {
      if ((await work.get(loginTranslations, id)) !== undefined) {
        await work.decide(loginTranslations, id, { type: 'remove' })
      }
    })
  }
  return documents.length
}
