/** Texts of mails and of login pages, and the files of the look, as drafts. */
import type { MessageType } from '../../../../features/mail/index.ts'
import { languageOf } from '../../../../kernel/languages.ts'
import type { PictureDraft, TextDraft } from '../../draft.ts'
import { instanceLevel, type LabelFile, type LevelState, organizationLevel } from '../folds/policies.ts'
import { folded, type Item, type Reading, remark, removed } from '../reading.ts'
import { filesOf } from './settings.ts'

/** The messages that there are here, too. */
const MESSAGES: Readonly<Record<string, MessageType>> = {
  VerifyEmail: 'verify_email',
  PasswordReset: 'password_reset',
  InviteUser: 'invitation',
  InitCode: 'invitation',
  PasswordlessRegistration: 'passkey_link',
  VerifyEmailOTP: 'one_time_code',
  PasswordChange: 'password_changed',
}

const PARTS: Readonly<Record<string, string>> = {
  Title: 'title',
  Subject: 'subject',
  Greeting: 'greeting',
  Text: 'text',
  ButtonText: 'buttonText',
  Footer: 'footer',
}

/** Only what is not empty; a one-time code is named like other codes here. */
function partsOf(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(PARTS).flatMap(([key, name]) => {
      const text = given[key]
      return text ? [[name, text.replaceAll('{{.OTP}}', '{{.Code}}')]] : []
    }),
  )
}

function* mailTexts(owner: string, { texts }: LevelState, { world }: Reading): Generator<Item> {
  const { createdAt: beginning } = world.instance
  const about = owner || world.instance.id
  let builtIn = 0
  for (const [id, { value, createdAt, changedAt }] of texts.living) {
    const [template = '', tag = ''] = id.split(' ')
    const messageType = MESSAGES[template]
    const language = languageOf(tag)
    // Those of the beginning are the built-in ones of the source.
    if (owner === '' && changedAt === beginning) {
      builtIn++
      continue
    }
    if (template === 'InitCode' && texts.living.has(`InviteUser ${tag}`)) continue
    if (messageType === undefined || language === undefined) {
      const why = messageType === undefined ? 'there is no such text here' : `there are no mails in "${tag}" here`
      yield remark('text', `${about}:${template}:${tag}`, `The text stays behind: ${why}.`)
      continue
    }
    const draft: TextDraft = {
      kind: 'text',
      id: `${messageType}:${language}`,
      organizationId: owner,
      createdAt,
      changedAt,
      target: 'mail',
      messageType,
      language,
      texts: partsOf(value),
    }
    if (Object.keys(draft.texts).length > 0) yield draft
    else yield removed(draft)
    if (value.PreHeader) {
      yield remark('text', `${about}:${template}:${tag}`, 'The pre-header stays behind: mails have none here.')
    }
  }
  for (const key of texts.gone) {
    const [template = '', tag = ''] = key.split(' ')
    const [messageType, language] = [MESSAGES[template], languageOf(tag)]
    if (messageType === undefined || language === undefined) continue
    const id = `${messageType}:${language}`
    yield removed({ kind: 'text', id, organizationId: owner, target: 'mail', messageType, language })
  }
  if (builtIn > 0) {
    yield remark('text', about, `${builtIn} texts that ZITADEL itself set stay behind: the built-in ones apply here.`)
  }
}

/** Groups of texts as one list: the names of the groups come first, with dots between. */
function flatten(group: Readonly<Record<string, unknown>>, path: string): [string, string][] {
  return Object.entries(group).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'string') return [[`${path}${name}`, value]]
    return typeof value === 'object' && value !== null ? flatten({ ...value }, `${path}${name}.`) : []
  })
}

function* loginTexts(organizationId: string, { translations }: LevelState): Generator<Item> {
  for (const [language, { value, createdAt, changedAt }] of translations.living) {
    const texts = Object.fromEntries(flatten(value, ''))
    const id = `login-app:${language}`
    const about = { kind: 'text', id, organizationId, target: 'login-app', language } as const
    if (Object.keys(texts).length === 0) yield removed(about)
    else yield { ...about, createdAt, changedAt, texts }
  }
  for (const language of translations.gone) {
    yield removed({ kind: 'text', id: `login-app:${language}`, organizationId, target: 'login-app', language })
  }
}

export async function* textDrafts(reading: Reading): AsyncGenerator<Item> {
  for (const folding of [instanceLevel, organizationLevel]) {
    for await (const { id, state } of folded(reading, folding)) {
      const owner = id === reading.world.instance.id ? '' : id
      if (owner !== '' && !(await reading.world.organization(owner))) continue
      yield* mailTexts(owner, state, reading)
      yield* loginTexts(owner, state)
    }
  }
}

const SLOTS: Readonly<Record<LabelFile, PictureDraft['of']>> = {
  logo: 'logo',
  'logo.dark': 'logo-dark',
  icon: 'icon',
  'icon.dark': 'icon-dark',
  font: 'font',
}

/** Logos, icons and fonts. */
export async function* brandingFileDrafts(reading: Reading): AsyncGenerator<Item> {
  for (const folding of [instanceLevel, organizationLevel]) {
    for await (const { id: objectId, state } of folded(reading, folding)) {
      const organizationId = objectId === reading.world.instance.id ? '' : objectId
      if (organizationId !== '' && !(await reading.world.organization(organizationId))) continue
      const label = filesOf(state)
      for (const [slot, of] of Object.entries(SLOTS)) {
        if (label?.value.files[slot as LabelFile] !== undefined) continue
        yield removed({ kind: 'picture', id: `${objectId}:${of}`, of, objectId, organizationId })
      }
      for (const [slot, name] of Object.entries(label?.value.files ?? {})) {
        const of = SLOTS[slot as LabelFile]
        const id = `${objectId}:${of}`
        const file = await reading.log.file(objectId, name)
        if (!file || !label) yield remark('picture', id, 'The file is not in the database: it may be in a bucket.')
        else {
          const { createdAt, changedAt } = label
          yield { kind: 'picture', id, organizationId, createdAt, changedAt, of, objectId, ...file }
        }
      }
    }
  }
}
