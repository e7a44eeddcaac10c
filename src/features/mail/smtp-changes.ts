/** Setting, changing, trying and removing the mail server, in whichever service's words it was asked. */
import type { Call } from '../../access/call.ts'
import { isEmailAddress } from '../../kernel/email-address.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import type { Document, Work, Written } from '../../store/index.ts'
import type { SetSmtpConfig, SmtpConfig } from './decisions/smtp-config.ts'
import { MailDelayed, MailRejected } from './delivery-failure.ts'
import { findSmtpConfig, smtpConfigId, smtpConfigs } from './documents.ts'
import type { SealedPassword, SmtpSettings } from './events.ts'
import type { MailNeeds } from './needs.ts'
import { mailRefusals } from './refusals.ts'
import { passwordOf, passwordPlace, serverWith } from './smtp-server-of.ts'
import { settingsViolations, withoutBlanks } from './smtp-settings.ts'

type WrittenConfig = Promise<Written<Document<SmtpConfig>>>

/** The settings as they are kept; throws and names every member that cannot be set like this. */
function checkSettings(given: SmtpSettings, password?: string): SmtpSettings {
  const settings = withoutBlanks(given)
  const violations = settingsViolations(settings, password)
  if (violations.length > 0) throw refused(mailRefusals, 'mail.smtp_invalid', { violations })
  return settings
}

/** The mail server of this id, or the only one when the id is empty; throws when there is none. */
export async function requireSmtpConfig({ store }: MailNeeds, id: string): Promise<Document<SetSmtpConfig>> {
  const config = await findSmtpConfig(store)
  if (config === undefined || (id !== '' && id !== config.id)) throw refused(mailRefusals, 'mail.smtp_not_found')
  return config
}

async function seal({ vault }: MailNeeds, work: Work, id: string, password: string): Promise<SealedPassword> {
  return password === '' ? {} : { password: await vault.seal(work, passwordPlace(id), password) }
}

/** Sets the mail server if there is none yet; mail leaves through it at once. */
export function addSmtpConfig(needs: MailNeeds, call: Call, given: SmtpSettings, password: string): WrittenConfig {
  const settings = checkSettings(given, password)
  const id = needs.newId()
  return needs.store.write(call.origin, async (work) => {
    const secret = await seal(needs, work, id, password)
    return work.decide(smtpConfigs, id, { type: 'add', settings, secret }, needs.instanceId)
  })
}

/** What happens to the password when the rest is replaced. */
export type PasswordChange = 'keep' | 'remove' | { readonly to: string }

/** Replaces what is set. `mayBeSame`: nothing happens, instead of a no, when nothing would change. */
export async function changeSmtpConfig(
  needs: MailNeeds,
  call: Call,
  id: string,
  given: SmtpSettings,
  password: PasswordChange,
  mayBeSame: boolean,
): WrittenConfig {
  const settings = checkSettings(given, typeof password === 'object' ? password.to : undefined)
  const config = await requireSmtpConfig(needs, id)
  return needs.store.write(call.origin, async (work) => {
    const secret =
      password === 'keep'
        ? {}
        : { secret: password === 'remove' ? {} : await seal(needs, work, config.id, password.to) }
    return work.decide(smtpConfigs, config.id, { type: 'change', settings, ...secret, mayBeSame })
  })
}

/** Sets another password, or none when it is empty. */
export async function changeSmtpPassword(needs: MailNeeds, call: Call, id: string, password: string): WrittenConfig {
  const config = await requireSmtpConfig(needs, id)
  checkSettings(config.state, password)
  return needs.store.write(call.origin, async (work) => {
    const secret = await seal(needs, work, config.id, password)
    return work.decide(smtpConfigs, config.id, { type: 'change_password', secret })
  })
}

/** Switches the mail server on or off, or removes it. */
export async function switchSmtpConfig(
  needs: MailNeeds,
  call: Call,
  id: string,
  type: 'activate' | 'deactivate' | 'remove',
): WrittenConfig {
  const known = await smtpConfigId(needs.store)
  if (known === undefined || (id !== '' && id !== known)) throw refused(mailRefusals, 'mail.smtp_not_found')
  return needs.store.write(call.origin, (work) => work.decide(smtpConfigs, known, { type }))
}

/** What a test of a mail server is given. */
export interface SmtpTest {
  readonly settings: SmtpSettings
  readonly password: string | undefined
  readonly receiver: string
}

/** The test of the mail server that is set. */
export async function testOfConfig(needs: MailNeeds, id: string, receiver: string): Promise<SmtpTest> {
  const config = await requireSmtpConfig(needs, id)
  return { settings: config.state, password: await passwordOf(needs.vault, config), receiver }
}

/**
 * The stored password for a test of other settings. It is used only for the server, user and encryption it was set
 * for: otherwise a test, which leaves no trace in the log, could be used to have it sent elsewhere.
 */
export async function passwordForTest(
  needs: MailNeeds,
  id: string,
  settings: SmtpSettings,
): Promise<string | undefined> {
  const config = await requireSmtpConfig(needs, id)
  const { host, user, tls } = config.state
  if (host === settings.host && user === settings.user && tls === settings.tls) return passwordOf(needs.vault, config)
  if (config.state.secret.password === undefined) return undefined
  const violations = [
    { field: 'password', description: 'is required because host, user or tls differ from the stored settings' },
  ]
  throw refused(mailRefusals, 'mail.smtp_invalid', { violations })
}

/** How long a test may take; less than the port gives a request. */
const TEST_MILLISECONDS = 20_000

/** Sends a mail and answers when it was taken; throws `mail.test_failed` with the reason otherwise. */
export async function testSmtp(needs: MailNeeds, call: Call, test: SmtpTest): Promise<void> {
  const { password, receiver } = test
  const settings = checkSettings(test.settings, password)
  if (!isEmailAddress(receiver)) {
    const violations = [{ field: 'receiverAddress', description: 'must be an email address' }]
    throw refused(mailRefusals, 'mail.address_invalid', { violations })
  }
  const mail = {
    id: needs.newId(),
    from: { name: settings.senderName, address: settings.senderAddress },
    replyTo: settings.replyToAddress,
    to: { name: '', address: receiver },
    subject: 'Test mail',
    text: 'If you can read this, the mail server is set up well.\n',
    html: '<!doctype html><p>If you can read this, the mail server is set up well.</p>\n',
    date: call.at,
    secrets: [],
  }
  try {
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(TEST_MILLISECONDS)])
    await needs.send(serverWith(settings, password), mail, signal)
  } catch (error) {
    if (!(error instanceof MailRejected || error instanceof MailDelayed)) throw error
    const [kind, sentence] = mailRefusals['mail.test_failed']
    throw new Refused('mail.test_failed', kind, `${sentence} ${error.message}`)
  }
}
