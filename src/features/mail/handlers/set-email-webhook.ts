/** Adds and changes webhooks for emails. */
import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { endpointProblem } from '../../../outbound/endpoint.ts'
import type { Document, Written } from '../../../store/index.ts'
import type { SmtpConfig } from '../decisions/smtp-config.ts'
import { signingKeyPlace, smtpConfigs } from '../documents.ts'
import { mailRefusals } from '../refusals.ts'
import { newSigningKey } from '../webhook.ts'

/** What a request tells of a webhook. */
interface Given {
  readonly endpoint: string
  readonly description: string
}

/** Throws when emails may not be posted there. */
export function checkEndpoint({ config }: App, endpoint: string): void {
  const description = endpointProblem(endpoint, config.allowsPrivateNetwork)
  if (description === undefined) return
  throw refused(mailRefusals, 'mail.endpoint_invalid', { violations: [{ field: 'endpoint', description }] })
}

/** Adds a webhook, which is not active, and returns its key once. */
export async function addEmailWebhook(app: App, call: Call, { endpoint, description }: Given) {
  checkEndpoint(app, endpoint)
  const signingKey = newSigningKey()
  const written = await app.store.write(call.origin, async (work) => {
    const id = await work.unusedId(smtpConfigs, app.newId)
    const sealed = await app.vault.seal(work, signingKeyPlace(id), signingKey)
    const secret = { signingKey: sealed }
    const command = { type: 'add', of: 'http', settings: { endpoint, description }, secret } as const
    return work.decide(smtpConfigs, id, command, app.instanceId)
  })
  return { id: written.value.id, signingKey, written }
}

/** Changes a webhook. With another key, returns it once. */
export async function changeEmailWebhook(
  app: App,
  call: Call,
  id: string,
  { endpoint, description, renewsKey }: Given & { readonly renewsKey: boolean },
): Promise<{ readonly signingKey?: string; readonly written: Written<Document<SmtpConfig>> }> {
  checkEndpoint(app, endpoint)
  const signingKey = renewsKey ? newSigningKey() : undefined
  const written = await app.store.write(call.origin, async (work) => {
    const renewed = signingKey && {
      secret: { signingKey: await app.vault.seal(work, signingKeyPlace(id), signingKey) },
    }
    const command = { type: 'change', of: 'http', settings: { endpoint, description }, ...renewed } as const
    return work.decide(smtpConfigs, id, command, app.instanceId)
  })
  return signingKey === undefined ? { written } : { signingKey, written }
}
