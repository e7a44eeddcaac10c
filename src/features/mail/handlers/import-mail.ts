/** The SMTP server and the texts of mails that another product had, as part of a write. */
import { OWNERS_REACH, type Reach } from '../../../access/paths.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { isSet } from '../decisions/smtp-config.ts'
import { messageTextId, messageTexts, signingKeyPlace, smtpConfigs } from '../documents.ts'
import type { SmtpSettings } from '../events.ts'
import { checkedLanguage, checkParts } from '../message-texts.ts'
import type { CustomParts, TextType } from '../message-types.ts'
import { passwordPlace } from '../smtp-server.ts'
import { checkEndpoint } from './set-email-webhook.ts'
import { checkSettings, seal } from './set-smtp-config.ts'

/** Adds the SMTP server if there is none yet. Unless it continues, nobody gets mails before somebody has looked at it. */
export async function importSmtpConfig(
  app: App,
  work: Work,
  {
    id,
    settings: given,
    password,
    isActive = false,
  }: { readonly id: string; readonly settings: SmtpSettings; readonly password: string; readonly isActive?: boolean },
): Promise<void> {
  const settings = checkSettings(app, given, password)
  const secret = await seal(app, work, id, password)
  await work.decide(smtpConfigs, id, { type: 'add', of: 'smtp', settings, secret }, app.instanceId)
  if (!isActive) await work.decide(smtpConfigs, id, { type: 'deactivate' })
}

export interface ImportedEmailWebhook {
  readonly id: string
  readonly endpoint: string
  readonly description: string
  readonly signingKey: string
  /** Whether emails are posted to it at once. */
  readonly isActive?: boolean
}

/** Adds a webhook for emails that was in an export. */
export async function importEmailWebhook(app: App, work: Work, given: ImportedEmailWebhook): Promise<void> {
  const { id, endpoint, description, isActive = false } = given
  checkEndpoint(app, endpoint)
  const signingKey = await app.vault.seal(work, signingKeyPlace(id), given.signingKey)
  const command = { type: 'add', of: 'http', settings: { endpoint, description }, secret: { signingKey } } as const
  await work.decide(smtpConfigs, id, command, app.instanceId)
  if (isActive) await work.decide(smtpConfigs, id, { type: 'activate' })
}

/** Sets the texts of one type of mail in one language. */
export async function importMessageText(
  app: App,
  work: Work,
  owner: string,
  given: { readonly type: TextType; readonly language: string; readonly parts: CustomParts; readonly reach?: Reach },
): Promise<void> {
  if (owner !== app.instanceId) await requireOrganization(app, owner, work)
  const { type, parts, reach = OWNERS_REACH } = given
  const language = checkedLanguage(given.language)
  await checkParts(type, parts, 'texts')
  await work.decide(
    messageTexts,
    messageTextId(owner, type, language),
    { type: 'set', of: type, language, parts, by: reach },
    owner,
  )
}

/** Changes the SMTP server to what another product has now, as part of a write. Whether it is active stays as it is here. */
export async function followSmtpConfig(
  app: App,
  work: Work,
  {
    id,
    settings: given,
    password,
  }: { readonly id: string; readonly settings: SmtpSettings; readonly password: string },
): Promise<void> {
  const settings = checkSettings(app, given, password)
  const state = (await work.get(smtpConfigs, id))?.state
  if (state === undefined || !isSet(state)) return
  const sealed = state.secret.password
  const known = sealed === undefined ? '' : await app.vault.open(passwordPlace(id), sealed)
  const secret = known === password ? {} : { secret: await seal(app, work, id, password) }
  await work.decide(smtpConfigs, id, { type: 'change', of: 'smtp', settings, ...secret, mayBeSame: true })
}

/** A text that another product does not have any more, as part of a write. */
export async function resetMessageText(work: Work, owner: string, type: TextType, tag: string): Promise<void> {
  const id = messageTextId(owner, type, checkedLanguage(tag))
  if ((await work.get(messageTexts, id))?.state.status === 'set') await work.decide(messageTexts, id, { type: 'reset' })
}
