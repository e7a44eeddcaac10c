/** Texts of the hosted pages that an instance or an organization has changed: one document for each owner and language. */
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../../kernel/event.ts'
import { type Language, languageOf } from '../../../kernel/languages.ts'
import { placeProblem, placesIn } from '../../../kernel/placeholders.ts'
import { refused, type Violation } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { type Document, kind, type Origin, type Written } from '../../../store/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { type SettingsRefusal, settingsRefusals } from '../refusals.ts'
import { isForOwnUsers, PAGE_TEXTS } from './catalogue.ts'

/** Custom texts by their keys. */
export type CustomTexts = Readonly<Record<string, string>>

const pageTextEvents = declareEvents({
  /** All custom texts of one owner in one language; the stream is named by both. */
  'page_texts.set.v1': data<{ readonly language: Language; readonly texts: CustomTexts }>(),
  'page_texts.reset.v1': data(),
})

type PageTextEvent = EventOf<typeof pageTextEvents>
type PageTextState = { readonly status: 'none' } | { readonly status: 'set'; readonly texts: CustomTexts }
type PageTextCommand =
  | { readonly type: 'set'; readonly language: Language; readonly texts: CustomTexts }
  | { readonly type: 'reset' }

function areSame(one: CustomTexts, other: CustomTexts): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}

const pageTextDecider: Decider<PageTextCommand, PageTextState, PageTextEvent, SettingsRefusal> = {
  initial: { status: 'none' },
  evolve: (_, event) =>
    event.type === 'page_texts.set.v1' ? { status: 'set', texts: event.data.texts } : { status: 'none' },
  decide(command, state) {
    if (command.type === 'reset') {
      return state.status === 'set'
        ? accept({ type: 'page_texts.reset.v1', data: {} })
        : refuse('settings.texts_not_set')
    }
    const { language, texts } = command
    if (state.status === 'set' && areSame(state.texts, texts)) return accept()
    return accept({ type: 'page_texts.set.v1', data: { language, texts } })
  },
}

export const pageTexts = kind({
  name: 'page-texts',
  ids: { joined: ['owner', 'language'] },
  waits: false,
  path: false,
  version: 1,
  events: pageTextEvents,
  decider: pageTextDecider,
  refusals: settingsRefusals,
  fields: { status: { path: ['status'], type: 'text', indexed: false } },
  largest: 262_144,
})

/** A language contains no slash, so the parts are unambiguous. */
export function pageTextsId(owner: string, language: Language): string {
  return `${owner}/${language}`
}

/** Line breaks and what else a reader cannot see; among them the marks that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** Why a text cannot have this key; undefined when it can. */
export function textProblem(key: string, text: string): string | undefined {
  const known = PAGE_TEXTS.get(key)
  if (known === undefined) return 'must be the key of a text that can be changed'
  if (!text.isWellFormed() || UNSEEN.test(text)) return 'must be a single line of text'
  if (text.trim() === '') return 'must not be empty'
  const problem = placeProblem(text, known.places)
  if (problem !== undefined) return known.places.length === 0 ? 'must not contain placeholders' : problem
  const missing = known.places.find((name) => !placesIn(text).includes(name))
  return missing === undefined ? undefined : `must contain {{.${missing}}}`
}

/** The texts of a request. Throws where one is invalid or twice there; `field` is the name of the list. */
export function checkedTexts(
  list: readonly { readonly key: string; readonly text: string }[],
  field: string,
): CustomTexts {
  const texts = new Map<string, string>()
  const violations = list.flatMap(({ key, text }, index): readonly Violation[] => {
    const isAgain = texts.has(key)
    texts.set(key, text.trim())
    const problem = isAgain ? 'must not have the key of another text' : textProblem(key, text)
    const member = isAgain || !PAGE_TEXTS.has(key) ? 'key' : 'text'
    return problem === undefined ? [] : [{ field: `${field}[${index}].${member}`, description: problem }]
  })
  if (violations.length > 0) throw refused(settingsRefusals, 'settings.texts_invalid', { violations })
  return Object.fromEntries(texts)
}

/** The language of a tag. Throws when the pages do not have it. */
export function pageLanguage(tag: string): Language {
  const language = languageOf(tag)
  if (language !== undefined) return language
  const violations = [{ field: 'language', description: 'must be a supported language' }]
  throw refused(settingsRefusals, 'settings.language_unsupported', { violations })
}

/** The texts that an owner has set, without those that an earlier version knew and this one does not. */
export async function ownTexts({ store }: App, owner: string, language: Language): Promise<CustomTexts> {
  const state = (await store.get(pageTexts, pageTextsId(owner, language)))?.state
  if (state?.status !== 'set') return {}
  return Object.fromEntries(Object.entries(state.texts).filter(([key, text]) => textProblem(key, text) === undefined))
}

/** Whose texts a page has. */
export interface TextOwners {
  /** The organization whose look the page has. */
  readonly organizationId: string | undefined
  /** The organization of the user who is signed in. */
  readonly ownOrganizationId: string | undefined
}

/** The custom texts of a page: those of an organization over those of the instance. */
export async function customTexts(app: App, owners: TextOwners, language: Language): Promise<CustomTexts> {
  const { organizationId, ownOrganizationId } = owners
  const textsOf = async (owner: string | undefined) => (owner === undefined ? {} : ownTexts(app, owner, language))
  const [ofInstance, ofShown, ofOwn] = await Promise.all([
    ownTexts(app, app.instanceId, language),
    textsOf(organizationId),
    ownOrganizationId === organizationId ? undefined : textsOf(ownOrganizationId),
  ])
  if (ofOwn === undefined) return { ...ofInstance, ...ofShown }
  const only = (texts: CustomTexts, forOwn: boolean) =>
    Object.fromEntries(Object.entries(texts).filter(([key]) => isForOwnUsers(key) === forOwn))
  return { ...ofInstance, ...only(ofShown, false), ...only(ofOwn, true) }
}

/** Sets all texts of the instance or of an organization in one language. */
export function setTexts(
  app: App,
  origin: Origin,
  owner: string,
  command: { readonly language: Language; readonly texts: CustomTexts },
): Promise<Written<Document<PageTextState>>> {
  return app.store.write(origin, async (work) => {
    // Guarded, so that no text is set for an organization that is removed at the same time.
    if (owner !== app.instanceId) await requireOrganization(app, owner, work)
    return work.decide(pageTexts, pageTextsId(owner, command.language), { type: 'set', ...command }, owner)
  })
}

/** Resets the texts of an owner in one language. */
export function resetTexts(app: App, origin: Origin, owner: string, language: Language) {
  return app.store.write(origin, (work) =>
    work.decide(pageTexts, pageTextsId(owner, language), { type: 'reset' }, owner),
  )
}

/** Resets texts of a removed organization, and returns how many. */
export async function resetPageTextsOf({ store }: App, id: string, origin: Origin, limit: number): Promise<number> {
  const where = {
    all: [
      { field: 'owner', equals: id },
      { field: 'status', equals: 'set' },
    ],
  } as const
  const { documents } = await store.find(pageTexts, { where, orderBy: 'id', limit })
  for (const found of documents) {
    await store.write(origin, async (work) => {
      const state = (await work.get(pageTexts, found.id))?.state
      if (state?.status === 'set') await work.decide(pageTexts, found.id, { type: 'reset' })
    })
  }
  return documents.length
}
