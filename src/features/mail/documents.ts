/** The kinds of this room. */
import { type Document, kind, type Store } from '../../store/index.ts'
import { inboxMail } from './decisions/inbox-mail.ts'
import { messageText } from './decisions/message-text.ts'
import { type SetSmtpConfig, smtpConfig } from './decisions/smtp-config.ts'
import { inboxMailEvents, messageTextEvents, smtpConfigEvents } from './events.ts'
import type { MailLanguage, MessageType } from './message-types.ts'
import { mailRefusals } from './refusals.ts'

const SMTP_CLAIM = 'smtp-config'
const ONLY = 'only'

/** At most one is set: whoever adds it holds the claim that there is one until it is removed. */
export const smtpConfigs = kind({
  name: 'smtp-config',
  version: 1,
  events: smtpConfigEvents,
  decider: smtpConfig,
  refusals: mailRefusals,
  fields: {},
  claims: (state) =>
    state.status === 'active' || state.status === 'inactive'
      ? [{ kind: SMTP_CLAIM, value: ONLY, taken: 'mail.smtp_exists' }]
      : [],
  isGone: (state) => state.status === 'removed',
})

/** The id of the mail server that is set. */
export function smtpConfigId(store: Store): Promise<string | undefined> {
  return store.findClaimHolder(SMTP_CLAIM, ONLY)
}

/** The mail server that is set, active or not. */
export async function findSmtpConfig(store: Store): Promise<Document<SetSmtpConfig> | undefined> {
  const id = await smtpConfigId(store)
  const found = id === undefined ? undefined : await store.get(smtpConfigs, id)
  return found?.state.status === 'active' || found?.state.status === 'inactive'
    ? (found as Document<SetSmtpConfig>)
    : undefined
}

/** Reset, a text is not gone: it may be set again. */
export const messageTexts = kind({
  name: 'message-text',
  version: 1,
  events: messageTextEvents,
  decider: messageText,
  refusals: mailRefusals,
  fields: {
    status: { path: ['status'], type: 'text', indexed: false },
    type: { path: ['type'], type: 'text', indexed: false },
    language: { path: ['language'], type: 'text', indexed: false },
  },
})

/** The id of a text: type and language have no slash, so the parts cannot be mistaken. */
export function messageTextId(owner: string, type: MessageType, language: MailLanguage): string {
  return `${owner}/${type}/${language}`
}

/** The id of a mail in the inbox is that of the job that brought it. */
export const inboxMails = kind({
  name: 'inbox-mail',
  version: 1,
  events: inboxMailEvents,
  decider: inboxMail,
  refusals: mailRefusals,
  fields: {
    recipient: { path: ['search', 'to'], type: 'text' },
    type: { path: ['type'], type: 'text', indexed: false },
  },
  isGone: (state) => state.status === 'removed',
})
