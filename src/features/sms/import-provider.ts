/** Adds the provider of text messages that another product had, or that was in an export. */
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import type { Work } from '../../store/index.ts'
import { isLiving } from './decider.ts'
import { signingKeyPlace, smsProviders, tokenPlace } from './documents.ts'
import type { TwilioAccount } from './events.ts'
import { smsRefusals } from './refusals.ts'
import { checkedAccount } from './twilio-account.ts'

interface ImportedWebhook {
  readonly endpoint: string
  readonly description: string
  readonly signingKey: string
}

interface ImportedAccount extends TwilioAccount {
  readonly token: string
}

/** A webhook, or an account at Twilio. */
export type ImportedSmsProvider = (ImportedWebhook | ImportedAccount) & {
  readonly id: string
  /** Whether messages are sent to it at once. */
  readonly isActive?: boolean
}

function checkEndpoint(app: App, endpoint: string): void {
  const description = endpointProblem(endpoint, app.config.allowsPrivateNetwork)
  if (description === undefined) return
  throw refused(smsRefusals, 'sms.endpoint_invalid', { violations: [{ field: 'endpoint', description }] })
}

/** Changes a provider to what another product has now, as part of a write. Whether it is active stays as it is here. */
export async function followSmsProvider(app: App, work: Work, given: ImportedSmsProvider): Promise<void> {
  const { id } = given
  const state = (await work.get(smsProviders, id))?.state
  if (state === undefined || !isLiving(state)) return
  if ('token' in given) {
    if (state.type !== 'twilio') return
    await work.decide(smsProviders, id, { type: 'change', of: 'twilio', settings: checkedAccount(given) })
    if ((await app.vault.open(tokenPlace(id), state.secret.token)) === given.token) return
    const token = await app.vault.seal(work, tokenPlace(id), given.token)
    await work.decide(smsProviders, id, { type: 'change_secret', of: 'twilio', secret: { token } })
    return
  }
  if (state.type !== 'http') return
  const { endpoint, description, signingKey } = given
  checkEndpoint(app, endpoint)
  const known = await app.vault.open(signingKeyPlace(id), state.secret.signingKey)
  const renewed = known !== signingKey && {
    secret: { signingKey: await app.vault.seal(work, signingKeyPlace(id), signingKey) },
  }
  await work.decide(smsProviders, id, { type: 'change', of: 'http', settings: { endpoint, description }, ...renewed })
}

/** Adds a provider as part of a write. */
export async function importSmsProvider(app: App, work: Work, given: ImportedSmsProvider): Promise<void> {
  const { id, isActive = false } = given
  if ('token' in given) {
    const secret = { token: await app.vault.seal(work, tokenPlace(id), given.token) }
    const command = { type: 'add', of: 'twilio', settings: checkedAccount(given), secret } as const
    await work.decide(smsProviders, id, command, app.instanceId)
  } else {
    const { endpoint, description } = given
    checkEndpoint(app, endpoint)
    const secret = { signingKey: await app.vault.seal(work, signingKeyPlace(id), given.signingKey) }
    const command = { type: 'add', of: 'http', settings: { endpoint, description }, secret } as const
    await work.decide(smsProviders, id, command, app.instanceId)
  }
  if (isActive) await work.decide(smsProviders, id, { type: 'activate' })
}
