/** The kinds of this module. */

import type { Language } from '../../kernel/languages.ts'
import type { App } from '../../module/app.ts'
import { type Document, kind } from '../../store/index.ts'
import { inboxMail } from './decisions/inbox-mail.ts'
import { messageText } from './decisions/message-text.ts'
import { type EmailWebhook, isSet, type SetSmtpConfig, sealedOf, smtpConfig } from './decisions/smtp-config.ts'
import { inboxMailEvents, messageTextEvents, smtpConfigEvents } from './events.ts'
import type { TextType } from './message-types.ts'
import { mailRefusals } from './refusals.ts'

const SMTP_CLAIM = 'smtp-config'
const ACTIVE_CLAIM = 'email-provider-active'
const ONLY = 'only'

/** The SMTP server and webhooks for emails. Of SMTP servers one exists: it holds a claim until it is removed. */
export const smtpConfigs = kind({
  name: 'smtp-config',
  ids: 'own',
  waits: false,
  path: { changedBy: 'Only the instance has it.' },
  version: 3,
  events: smtpConfigEvents,
  decider: smtpConfig,
  refusals: mailRefusals,
  fields: { type: { path: ['type'], type: 'text', indexed: false } },
  claims: (state) => [
    ...(isSet(state)
      ? [
          {
            kind: SMTP_CLAIM,
            within: { instance: 'Only the instance has a mail server.' },
            value: ONLY,
            taken: 'mail.smtp_exists',
          } as const,
        ]
      : []),
    ...(state.status === 'active'
      ? [
          {
            kind: ACTIVE_CLAIM,
            within: { instance: 'Only the instance has a mail server.' },
            value: ONLY,
            taken: 'mail.other_active',
          } as const,
        ]
      : []),
  ],
  isGone: (state) => state.status === 'removed',
  sealed: sealedOf,
  limits: [{ things: 'email providers', holder: 'the instance', by: ['owner'], number: 100 }],
})

/** The place for which the key of a webhook is encrypted. */
export function signingKeyPlace(id: string) {
  return { kind: smtpConfigs.name, id, member: 'signingKey' } as const
}

/** The id of the mail server that is set. */
export function smtpConfigId({ store }: Pick<App, 'store'>): Promise<string | undefined> {
  return store.findClaimHolder(SMTP_CLAIM, ONLY)
}

/** The mail server that is set, active or not. */
export async function findSmtpConfig(app: Pick<App, 'store'>): Promise<Document<SetSmtpConfig> | undefined> {
  const id = await smtpConfigId(app)
  const found = id === undefined ? undefined : await app.store.get(smtpConfigs, id)
  return found !== undefined && isSet(found.state) ? (found as Document<SetSmtpConfig>) : undefined
}

/** The ID of the email provider that is active. */
export function activeProviderId({ store }: Pick<App, 'store'>): Promise<string | undefined> {
  return store.findClaimHolder(ACTIVE_CLAIM, ONLY)
}

/** The SMTP server or the webhook that emails are sent through. */
export async function findActiveProvider(
  app: Pick<App, 'store'>,
): Promise<Document<SetSmtpConfig> | Document<EmailWebhook> | undefined> {
  const id = await activeProviderId(app)
  const found = id === undefined ? undefined : await app.store.get(smtpConfigs, id)
  return found?.state.status === 'active' ? (found as Document<SetSmtpConfig> | Document<EmailWebhook>) : undefined
}

/** Whether emails are sent; otherwise they go to the development inbox. */
export async function isMailServerActive(app: Pick<App, 'store'>): Promise<boolean> {
  return (await activeProviderId(app)) !== undefined
}

/** The document of a reset text is not gone, because the text can be set again. */
export const messageTexts = kind({
  name: 'message-text',
  ids: { joined: ['owner', 'type', 'language'] },
  waits: false,
  path: true,
  version: 2,
  events: messageTextEvents,
  decider: messageText,
  refusals: mailRefusals,
  fields: {
    status: { path: ['status'], type: 'text', indexed: false },
    type: { path: ['type'], type: 'text', indexed: false },
    language: { path: ['language'], type: 'text', indexed: false },
  },
})

/** The ID of a text. Type and language contain no slash, so the parts are unambiguous. */
export function messageTextId(owner: string, type: TextType, language: Language): string {
  return `${owner}/${type}/${language}`
}

/** The ID of an email in the inbox is that of the job that delivered it. */
export const inboxMails = kind({
  name: 'inbox-mail',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: inboxMailEvents,
  decider: inboxMail,
  refusals: mailRefusals,
  fields: {
    recipient: { path: ['search', 'to'], type: 'text' },
    type: { path: ['type'], type: 'text', indexed: false },
  },
  isGone: (state) => state.status === 'removed',
  sealed(state) {
    if (state.status !== 'there') return []
    const before = state.secret.content
    return [{ member: 'content', text: before, reseal: (content) => ({ type: 'reseal', before, content }) as const }]
  },
})
