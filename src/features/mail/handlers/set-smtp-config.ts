/** Adds, changes and removes the SMTP server. */

import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { isSameOAuth, isSet, type SetSmtpConfig, type SmtpConfig } from '../decisions/smtp-config.ts'
import { activeProviderId, findSmtpConfig, smtpConfigId, smtpConfigs } from '../documents.ts'
import type { SealedPassword, SmtpSettings } from '../events.ts'
import { mailRefusals } from '../refusals.ts'
import { passwordPlace, settingsViolations, withoutBlanks } from '../smtp-server.ts'

type WrittenConfig = Promise<Written<Document<SmtpConfig>>>

/** The settings in their stored form. Throws, and names all invalid fields. */
export function checkSettings(app: App, given: SmtpSettings, password?: string): SmtpSettings {
  const settings = withoutBlanks(given)
  const violations = settingsViolations(app, settings, password)
  if (violations.length > 0) throw refused(mailRefusals, 'mail.smtp_invalid', { violations })
  return settings
}

/** The SMTP server with this ID, or the only one if the ID is empty. Throws when there is none. */
export async function requireSmtpConfig(app: App, id: string): Promise<Document<SetSmtpConfig>> {
  const config = await findSmtpConfig(app)
  if (config === undefined || (id !== '' && id !== config.id)) throw refused(mailRefusals, 'mail.smtp_not_found')
  return config
}

/** The field of a request for the secret of these settings. */
function secretField({ oauth }: SmtpSettings): string {
  return oauth === undefined ? 'password' : 'xoauth2.clientCredentials.clientSecret'
}

/**
 * Throws when the stored secret would be used with another server, user, encryption or token endpoint than it was set for.
 * Otherwise a caller who may change the mail server, but never sees its secret, could have it sent elsewhere.
 */
export function requireSameServer(state: SetSmtpConfig, settings: SmtpSettings): void {
  const { host, user, tls, oauth } = settings
  const isSame = state.host === host && state.user === user && state.tls === tls && isSameOAuth(state, settings)
  if (isSame || (oauth === undefined && state.secret.password === undefined)) return
  const set = oauth === undefined ? 'host, user or tls are' : 'the server, user, token endpoint or client is'
  const violations = [{ field: secretField(settings), description: `is needed, since ${set} not what is set` }]
  throw refused(mailRefusals, 'mail.smtp_invalid', { violations })
}

/** A client without a secret gets no access token. */
function requireSecret(settings: SmtpSettings, password: string): void {
  if (settings.oauth === undefined || password !== '') return
  const violations = [{ field: secretField(settings), description: 'is needed' }]
  throw refused(mailRefusals, 'mail.smtp_invalid', { violations })
}

/** Encrypts the password of an SMTP server. */
export async function seal(app: App, work: Work, id: string, password: string): Promise<SealedPassword> {
  return password === '' ? {} : { password: await app.vault.seal(work, passwordPlace(id), password) }
}

/** Adds the SMTP server if there is none yet. It is active immediately, unless a webhook is. */
export function addSmtpConfig(app: App, call: Call, given: SmtpSettings, password: string): WrittenConfig {
  const settings = checkSettings(app, given, password)
  requireSecret(settings, password)
  return app.store.write(call.origin, async (work) => {
    const id = await work.unusedId(smtpConfigs, app.newId)
    const secret = await seal(app, work, id, password)
    const added = await work.decide(smtpConfigs, id, { type: 'add', of: 'smtp', settings, secret }, app.instanceId)
    const isFirst = (await activeProviderId(app)) === undefined
    return isFirst ? added : work.decide(smtpConfigs, id, { type: 'deactivate' })
  })
}

/** What happens to the password when the other settings are replaced. */
export type PasswordChange = 'keep' | 'remove' | { readonly to: string }

/** Replaces the settings. `mayBeSame`: a change without effect is accepted and writes nothing. */
export async function changeSmtpConfig(
  app: App,
  call: Call,
  id: string,
  given: SmtpSettings,
  password: PasswordChange,
  mayBeSame: boolean,
): WrittenConfig {
  const settings = checkSettings(app, given, typeof password === 'object' ? password.to : undefined)
  const config = await requireSmtpConfig(app, id)
  return app.store.write(call.origin, async (work) => {
    const state = (await work.get(smtpConfigs, config.id))?.state
    if (password === 'keep' && state !== undefined && isSet(state)) requireSameServer(state, settings)
    const secret =
      password === 'keep' ? {} : { secret: password === 'remove' ? {} : await seal(app, work, config.id, password.to) }
    return work.decide(smtpConfigs, config.id, { type: 'change', of: 'smtp', settings, ...secret, mayBeSame })
  })
}

/** Sets another password, or removes it when it is empty. */
export async function changeSmtpPassword(app: App, call: Call, id: string, password: string): WrittenConfig {
  const config = await requireSmtpConfig(app, id)
  checkSettings(app, config.state, password)
  requireSecret(config.state, password)
  return app.store.write(call.origin, async (work) => {
    const secret = await seal(app, work, config.id, password)
    return work.decide(smtpConfigs, config.id, { type: 'change_secret', of: 'smtp', secret })
  })
}

/** Activates, deactivates or removes the SMTP server. */
export async function switchSmtpConfig(
  app: App,
  call: Call,
  id: string,
  type: 'activate' | 'deactivate' | 'remove',
): WrittenConfig {
  const known = await smtpConfigId(app)
  if (known === undefined || (id !== '' && id !== known)) throw refused(mailRefusals, 'mail.smtp_not_found')
  return switchProvider(app, call, known, type)
}

/** Activates, deactivates or removes an email provider. Activating one deactivates the one before. */
export function switchProvider(
  app: App,
  call: Call,
  id: string,
  type: 'activate' | 'deactivate' | 'remove',
): WrittenConfig {
  return app.store.write(call.origin, async (work) => {
    const switched = await work.decide(smtpConfigs, id, { type }, app.instanceId)
    const former = type === 'activate' ? await activeProviderId(app) : undefined
    if (former !== undefined && former !== id) await work.decide(smtpConfigs, former, { type: 'deactivate' })
    return switched
  })
}
