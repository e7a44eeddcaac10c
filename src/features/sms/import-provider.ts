/** Adds the webhook for text messages that another product had. It is not active. */
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import { signingKeyPlace, smsProviders } from './documents.ts'
import { smsRefusals } from './refusals.ts'
import { endpointProblem } from './webhook.ts'

export interface ImportedSmsProvider {
  readonly id: string
  readonly endpoint: string
  readonly description: string
  readonly signingKey: string
}

/** Adds a webhook as part of a write. */
export async function importSmsProvider(app: App, work: Work, given: ImportedSmsProvider): Promise<void> {
  const { id, endpoint, description, signingKey } = given
  const problem = endpointProblem(endpoint, app.config.allowsPrivateNetwork)
  if (problem !== undefined) {
    throw refused(smsRefusals, 'sms.endpoint_invalid', { violations: [{ field: 'endpoint', description: problem }] })
  }
  const sealed = await app.vault.seal(work, signingKeyPlace(id), signingKey)
  await work.decide(smsProviders, id, { type: 'add', endpoint, description, signingKey: sealed }, app.instanceId)
}
