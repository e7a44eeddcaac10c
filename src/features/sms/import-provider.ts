/** Adds the webhook for text messages that another product had, or that was in an export. */
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import type { Work } from '../../store/index.ts'
import { isLiving } from './decider.ts'
import { signingKeyPlace, smsProviders } from './documents.ts'
import { smsRefusals } from './refusals.ts'

export interface ImportedSmsProvider {
  readonly id: string
  readonly endpoint: string
  readonly description: string
  readonly signingKey: string
  /** Whether messages are sent to it at once. */
  readonly isActive?: boolean
}

function checkEndpoint(app: App, endpoint: string): void {
  const description = endpointProblem(endpoint, app.config.allowsPrivateNetwork)
  if (description === undefined) return
  throw refused(smsRefusals, 'sms.endpoint_invalid', { violations: [{ field: 'endpoint', description }] })
}

/** Changes a webhook to what another product has now, as part of a write. Whether it is active stays as it is here. */
export async function followSmsProvider(app: App, work: Work, given: ImportedSmsProvider): Promise<void> {
  const { id, endpoint, description, signingKey } = given
  checkEndpoint(app, endpoint)
  const state = (await work.get(smsProviders, id))?.state
  if (state === undefined || !isLiving(state)) return
  const known = await app.vault.open(signingKeyPlace(id), state.secret.signingKey)
  const secret = known === signingKey ? {} : { signingKey: await app.vault.seal(work, signingKeyPlace(id), signingKey) }
  await work.decide(smsProviders, id, { type: 'change', endpoint, description, ...secret })
}

/** Adds a webhook as part of a write. */
export async function importSmsProvider(app: App, work: Work, given: ImportedSmsProvider): Promise<void> {
  const { id, endpoint, description, signingKey, isActive = false } = given
  checkEndpoint(app, endpoint)
  const sealed = await app.vault.seal(work, signingKeyPlace(id), signingKey)
  await work.decide(smsProviders, id, { type: 'add', endpoint, description, signingKey: sealed }, app.instanceId)
  if (isActive) await work.decide(smsProviders, id, { type: 'activate' })
}
