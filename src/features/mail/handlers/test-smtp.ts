/** Sends a test email through an SMTP server, with the stored settings or with others. */

import type { Call } from '../../../access/call.ts'
import { isEmailAddress } from '../../../kernel/email-address.ts'
import { Refused, refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { MailDelayed, MailRejected } from '../delivery-failure.ts'
import type { SmtpSettings } from '../events.ts'
import { mailRefusals } from '../refusals.ts'
import { passwordOf, serverWith, withoutBlanks } from '../smtp-server.ts'
import { sendMail } from '../transport.ts'
import { checkSettings, requireSameServer, requireSmtpConfig } from './set-smtp-config.ts'

/** The parameters of a test. */
export interface SmtpTest {
  readonly settings: SmtpSettings
  readonly password: string | undefined
  readonly receiver: string
}

/** The test of the configured SMTP server. */
export async function testOfConfig(app: App, id: string, receiver: string): Promise<SmtpTest> {
  const config = await requireSmtpConfig(app, id)
  return { settings: config.state, password: await passwordOf(app, config), receiver }
}

/** The stored password for a test of other settings; only for the server, user and encryption that it was set for. */
export async function passwordForTest(app: App, id: string, settings: SmtpSettings): Promise<string | undefined> {
  const config = await requireSmtpConfig(app, id)
  requireSameServer(config.state, withoutBlanks(settings))
  return passwordOf(app, config)
}

/** Timeout of a test. Shorter than the timeout of a request. */
const TEST_MILLISECONDS = 20_000

/** Sends an email and returns when the server has accepted it. Throws `mail.test_failed` with the reason otherwise. */
export async function testSmtp(app: App, call: Call, test: SmtpTest): Promise<void> {
  const { password, receiver } = test
  const settings = checkSettings(app, test.settings, password)
  if (!isEmailAddress(receiver)) {
    const violations = [{ field: 'receiverAddress', description: 'must be an email address' }]
    throw refused(mailRefusals, 'mail.address_invalid', { violations })
  }
  const mail = {
    id: app.newId(),
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
    await sendMail(app, serverWith(app, settings, password), mail, signal)
  } catch (error) {
    if (!(error instanceof MailRejected || error instanceof MailDelayed)) throw error
    const [kind, sentence] = mailRefusals['mail.test_failed']
    throw new Refused('mail.test_failed', kind, `${sentence} ${error.message}`)
  }
}
