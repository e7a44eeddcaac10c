import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { inboxMail } from './decisions/inbox-mail.ts'
import { messageText } from './decisions/message-text.ts'
import { smtpConfig } from './decisions/smtp-config.ts'
import type { InboxMailEvent, MessageTextEvent, SmtpConfigEvent } from './events.ts'

const settings = {
  senderAddress: 'mail@signet.example',
  senderName: 'The Sender',
  replyToAddress: '',
  tls: true,
  host: 'mail.signet.example:587',
  user: 'mailer',
  description: '',
}
const added: SmtpConfigEvent = { type: 'smtp_config.added.v1', data: { ...settings, secret: { password: 'sealed' } } }
const removed: SmtpConfigEvent = { type: 'smtp_config.removed.v1', data: {} }

suite('mail server', () => {
  test('a change of nothing is refused, or no mistake, as it was asked', () => {
    given(smtpConfig, added)
      .when({ type: 'change', of: 'smtp', settings, mayBeSame: false })
      .thenRefused('mail.smtp_unchanged')
    given(smtpConfig, added).when({ type: 'change', of: 'smtp', settings, mayBeSame: true }).then()
  })

  test('a password that is given is a change, whatever it was before', () => {
    given(smtpConfig, added)
      .when({ type: 'change', of: 'smtp', settings, secret: { password: 'sealed anew' }, mayBeSame: false })
      .then({ type: 'smtp_config.changed.v1', data: { ...settings, secret: { password: 'sealed anew' } } })
  })

  test('a password that was changed meanwhile is not sealed over', () => {
    const reseal = { type: 'reseal', before: 'sealed', after: 'sealed anew' } as const
    given(smtpConfig, added)
      .when(reseal)
      .then({ type: 'smtp_config.password_resealed.v1', data: { secret: { password: 'sealed anew' } } })
    const changed: SmtpConfigEvent = {
      type: 'smtp_config.password_changed.v1',
      data: { secret: { password: 'other' } },
    }
    given(smtpConfig, added, changed).when(reseal).then()
  })

  test('one that was never set or is removed is not found', () => {
    for (const type of ['activate', 'deactivate', 'remove'] as const) {
      given(smtpConfig).when({ type }).thenRefused('mail.smtp_not_found')
      given(smtpConfig, added, removed).when({ type }).thenRefused('mail.smtp_not_found')
    }
    given(smtpConfig, added, removed)
      .when({ type: 'add', of: 'smtp', settings, secret: {} })
      .thenRefused('mail.smtp_id_taken')
  })
})

const set: MessageTextEvent = {
  type: 'message_text.set.v1',
  data: { type: 'invitation', language: 'en', parts: { title: 'Hello' } },
}

suite('text of a mail', () => {
  test('the same text again changes nothing', () => {
    given(messageText, set)
      .when({ type: 'set', of: 'invitation', language: 'en', parts: { title: 'Hello' } })
      .then()
  })

  test('it is reset once, and may be set again', () => {
    const reset: MessageTextEvent = { type: 'message_text.reset.v1', data: {} }
    given(messageText, set).when({ type: 'reset' }).then(reset)
    given(messageText, set, reset).when({ type: 'reset' }).thenRefused('mail.text_not_set')
    given(messageText, set, reset)
      .when({ type: 'set', of: 'invitation', language: 'en', parts: { title: 'Hello' } })
      .then(set)
  })
})

const delivered: InboxMailEvent = {
  type: 'inbox_mail.delivered.v1',
  data: { to: 'Mini@mouse.example', type: 'invitation', secret: { content: 'sealed' } },
}

suite('mail in the inbox', () => {
  test('is delivered once, also after it was removed', () => {
    const deliver = { type: 'deliver', to: 'a@b.example', of: 'invitation', content: 'sealed' } as const
    given(inboxMail, delivered).when(deliver).thenRefused('mail.inbox_mail_exists')
    const gone: InboxMailEvent = { type: 'inbox_mail.removed.v1', data: {} }
    given(inboxMail, delivered, gone).when(deliver).thenRefused('mail.inbox_mail_exists')
    given(inboxMail, delivered, gone).when({ type: 'remove' }).thenRefused('mail.inbox_mail_not_found')
  })
})
