/** What a webhook for emails gets: the parts with their values, as receivers of the ZITADEL API read them. Pure. */
import type { EmailWebhook } from './decisions/smtp-config.ts'
import type { FilledMail, MailLook } from './layout.ts'
import type { MailJobData } from './queue.ts'
import type { MailValues } from './render.ts'

interface WebhookMail {
  readonly messageId: string
  readonly job: MailJobData
  readonly values: MailValues
  readonly filled: FilledMail
  readonly look: MailLook
  readonly provider: { readonly id: string; readonly state: EmailWebhook }
  /** The address of this server. */
  readonly origin: string
}

function withoutEmpty(members: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const set = Object.entries(members).flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  return Object.fromEntries(set)
}

/** Those of the user, and those of the message: a one-time code has a name of its own. */
function argsOf({ job, values, origin }: WebhookMail) {
  const { displayName, firstName, lastName, userName, applicationName, code } = values
  const ofCode = job.type === 'one_time_code' ? { oTP: code } : { code }
  return {
    ...withoutEmpty({
      ...{ userID: job.userId, orgID: job.organizationId, userName, firstName, lastName, displayName },
      ...{ lastEmail: job.to, preferredLoginName: userName, loginName: userName, applicationName, ...ofCode },
      ...{ origin, domain: new URL(origin).host },
    }),
    ...(userName ? { loginNames: [userName] } : {}),
  }
}

/** The body of the request. */
export function webhookBody(mail: WebhookMail): string {
  const { messageId, job, filled, look, provider } = mail
  const { title, preHeader, subject, greeting, text, link, buttonText, footer } = filled
  const { light, logo } = look
  return JSON.stringify({
    contextInfo: {
      messageId,
      eventType: job.type,
      recipientEmailAddress: job.to,
      userId: job.userId,
      organizationId: job.organizationId,
      provider: { id: provider.id, description: provider.state.description },
    },
    templateData: {
      ...withoutEmpty({ title, preHeader, subject, greeting, text, url: link, buttonText }),
      ...withoutEmpty({ primaryColor: light.button, backgroundColor: light.ground, fontColor: light.ink }),
      ...withoutEmpty({ logoUrl: logo?.url, footerText: footer }),
      ...(footer === '' ? {} : { includeFooter: true }),
    },
    args: argsOf(mail),
  })
}
