/**
 * Email: the SMTP server, the texts of emails, and sending them after the commit that requested them. Without an SMTP
 * server, emails go to the development inbox.
 */
import { stays, within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { inboxMails, messageTexts, smtpConfigs } from './documents.ts'
import { mailJobs, mailMetrics } from './jobs.ts'
import { resetTextsOf } from './message-texts.ts'
import { MAIL_JOB } from './queue.ts'
import { mailRefusals } from './refusals.ts'
import { emailProviderMethods } from './rpc-email-providers.ts'
import { inboxMethods } from './rpc-inbox.ts'
import { smtpMethods } from './rpc-smtp.ts'
import { textMethods } from './rpc-texts.ts'

export const mailModule = module({
  name: 'mail',
  kinds: [
    ...within('settings', smtpConfigs),
    ...within('text', messageTexts),
    ...stays('The development inbox.', inboxMails),
  ],
  refusals: mailRefusals,
  methods: (app) => [...smtpMethods(app), ...emailProviderMethods(app), ...inboxMethods(app), ...textMethods(app)],
  jobs: (app) => [mailJobs(app)],
  metrics: mailMetrics,
  sealedJobs: [{ kind: MAIL_JOB, member: 'values' }],
  whenOrganizationRemoved: resetTextsOf,
})

export { inboxMails, isMailServerActive, messageTextId, messageTexts, smtpConfigs } from './documents.ts'
export type { SmtpSettings } from './events.ts'
export {
  followSmtpConfig,
  importEmailWebhook,
  importMessageText,
  importSmtpConfig,
  resetMessageText,
} from './handlers/import-mail.ts'
export { deliverToInbox, type InboxMail, isInboxOpen, listInboxMails, readInboxMail } from './inbox.ts'
export { mailPause } from './jobs.ts'
export { checkedLanguage, checkParts, customSmsText } from './message-texts.ts'
export {
  type CustomParts,
  isMessageType,
  type MessageType,
  type NoticeType,
  type SmsTextType,
  type TextType,
} from './message-types.ts'
export { countMails, enqueueMail, type MailRequest } from './queue.ts'
export { effectiveParts } from './render.ts'
export { NOTICE_JOB, noticeAfter, noticeJob, type SecurityNotice } from './security-notices.ts'
export {
  CODE_VARIABLES,
  type Link,
  ONE_TIME_CODE_VARIABLES,
  PASSKEY_VARIABLES,
  publicLink,
  renderUrlTemplate,
  urlTemplateProblem,
} from './url-template.ts'
export { MessageRejected, newSigningKey, postMessage, postToWebhook } from './webhook.ts'
