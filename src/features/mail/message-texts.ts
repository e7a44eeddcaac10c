/** The texts of emails: custom texts of organizations and the instance override the built-in ones. */

import { type Language, languageOf } from '../../kernel/languages.ts'
import { placeProblem, placesIn } from '../../kernel/placeholders.ts'
import { refused, type Violation } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Origin } from '../../store/index.ts'
import { mayUsePath } from '../memberships/index.ts'
import { messageTextId, messageTexts } from './documents.ts'
import { type CustomParts, type MessageType, PART_NAMES, type SmsTextType, type TextType } from './message-types.ts'
import { textProblem } from './page/text-places.ts'
import { writePage } from './page/write-page.ts'
import { carriesProof, PART_PLACES, placesOf, withOwnPlaces } from './placeholders.ts'
import { mailRefusals } from './refusals.ts'

/**
 * Parts that were set before a rule was made are left out when they break it. A page of a notice stays: what is not allowed
 * in it is left out when it is sent.
 */
async function withoutProblems(type: TextType, parts: CustomParts): Promise<CustomParts> {
  const good = await Promise.all(
    PART_NAMES.map(async (name) => {
      const text = parts[name]
      if (text === undefined) return []
      const isNoticePage = name === 'html' && !carriesProof(type)
      const isGood = isNoticePage || (await partProblem(type, name, text)) === undefined
      return isGood ? [[name, withOwnPlaces(text)]] : []
    }),
  )
  return Object.fromEntries(good.flat())
}

/** What an owner set for one type in one language; nothing for a user outside the reach of whoever set it. */
async function partsSetFor(
  app: App,
  { owner, type, language }: { readonly owner: string; readonly type: TextType; readonly language: Language },
  userId: string | undefined,
): Promise<CustomParts | undefined> {
  const { state } = (await app.store.get(messageTexts, messageTextId(owner, type, language))) ?? {}
  if (state?.status !== 'set') return undefined
  if (userId !== undefined && !(await mayUsePath(app, { owner, reach: state.reach }, userId))) return undefined
  return withoutProblems(type, state.parts)
}

/** The parts that were set for each of the owners, in their order; nothing for one that set none that count for the user. */
export async function customParts(
  app: App,
  owners: readonly string[],
  { type, language, userId }: { readonly type: MessageType; readonly language: Language; readonly userId?: string },
): Promise<readonly (CustomParts | undefined)[]> {
  const setFor = (owner: string, of: TextType) => partsSetFor(app, { owner, type: of, language }, userId)
  return Promise.all(
    owners.map(async (owner) => {
      const own = await setFor(owner, type)
      // Existing clients know two texts of invitations.
      const further = type === 'invitation' ? await setFor(owner, 'init') : undefined
      return further === undefined ? own : { ...further, ...own }
    }),
  )
}

/** The custom text of a text message for a user, with placeholders; undefined when the built-in one applies. */
export async function customSmsText(
  app: App,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  type: SmsTextType,
  language: Language,
): Promise<string | undefined> {
  for (const owner of [organizationId, app.instanceId]) {
    const text = (await partsSetFor(app, { owner, type, language }, userId))?.text
    if (text !== undefined) return text
  }
  return undefined
}

async function partProblem(
  type: TextType,
  name: (typeof PART_NAMES)[number],
  given: string,
): Promise<string | undefined> {
  const text = withOwnPlaces(given)
  if (!text.isWellFormed() || text.includes('\0')) return 'must be well-formed text'
  const isSms = type === 'verify_phone' || type === 'verify_sms_otp'
  // Only the text is sent; clients may set the other parts like those of a mail.
  const known = isSms && name !== 'text' ? placesOf('verify_email') : placesOf(type)
  const problem = placeProblem(text, name === 'html' ? [...known, ...PART_PLACES] : known)
  if (problem !== undefined) return problem
  if (name === 'html') return pageProblem(type, text)
  if (!carriesProof(type)) return undefined
  if (isSms && name === 'text' && !placesIn(text).includes('Code')) return 'must contain {{.Code}}'
  return textProblem(text)
}

async function pageProblem(type: TextType, page: string): Promise<string | undefined> {
  const { html, problem } = await writePage(page)
  if (problem !== undefined || !carriesProof(type)) return problem
  const proves = placesIn(html).some((place) => place === 'Link' || place === 'Code')
  return proves ? undefined : 'must contain {{.Link}} or {{.Code}}'
}

/** Throws unless these parts are valid for emails of this type; `field` is the name of the parts in the request. */
export async function checkParts(type: TextType, parts: CustomParts, field: string): Promise<void> {
  const found = await Promise.all(
    PART_NAMES.map(async (name): Promise<readonly Violation[]> => {
      const text = parts[name]
      const description = text === undefined ? undefined : await partProblem(type, name, text)
      return description === undefined ? [] : [{ field: `${field}.${name}`, description }]
    }),
  )
  const violations = found.flat()
  if (PART_NAMES.every((name) => parts[name] === undefined)) {
    violations.push({ field, description: 'must set at least one part' })
  }
  if (violations.length > 0) throw refused(mailRefusals, 'mail.text_invalid', { violations })
}

/** The language of a tag. Throws when emails are not available in it. */
export function checkedLanguage(tag: string): Language {
  const language = languageOf(tag)
  if (language !== undefined) return language
  const violations = [{ field: 'language', description: 'must be a supported email language' }]
  throw refused(mailRefusals, 'mail.language_unsupported', { violations })
}

/** Resets up to `limit` texts of a removed organization, and returns how many it reset. */
export async function resetTextsOf(
  { store }: App,
  organizationId: string,
  origin: Origin,
  limit: number,
): Promise<number> {
  const page = await store.find(messageTexts, {
    where: {
      all: [
        { field: 'owner', equals: organizationId },
        { field: 'status', equals: 'set' },
      ],
    },
    limit,
  })
  if (page.documents.length === 0) return 0
  await store.write(origin, async (work) => {
    for (const { id } of page.documents) {
      // It may have been reset since it was found.
      const text = await work.get(messageTexts, id)
      if (text?.state.status === 'set') await work.decide(messageTexts, id, { type: 'reset' })
    }
  })
  return page.documents.length
}
