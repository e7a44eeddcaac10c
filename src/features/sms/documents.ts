/** The kind of this module: webhooks for text messages, of which one at most is active. */
import type { App } from '../../access/app.ts'
import { type Document, kind } from '../../store/index.ts'
import { isLiving, type LivingSmsProvider, smsProvider } from './decider.ts'
import { smsProviderEvents } from './events.ts'
import { smsRefusals } from './refusals.ts'

const ACTIVE_CLAIM = 'sms-provider-active'
const ONLY = 'only'

export const smsProviders = kind({
  name: 'sms-provider',
  version: 1,
  events: smsProviderEvents,
  decider: smsProvider,
  refusals: smsRefusals,
  fields: {},
  claims: (state) =>
    state.status === 'active' ? [{ kind: ACTIVE_CLAIM, value: ONLY, taken: 'sms.other_active' }] : [],
  isGone: (state) => state.status === 'removed',
  sealed(state) {
    if (!isLiving(state)) return []
    const before = state.secret.signingKey
    return [
      { member: 'signingKey', text: before, reseal: (signingKey) => ({ type: 'reseal', before, signingKey }) as const },
    ]
  },
})

/** Where the key of a webhook is sealed. */
export function signingKeyPlace(id: string) {
  return { kind: smsProviders.name, id, member: 'signingKey' } as const
}

/** The id of the webhook that text messages are sent to. */
export function activeSmsProviderId({ store }: App): Promise<string | undefined> {
  return store.findClaimHolder(ACTIVE_CLAIM, ONLY)
}

/** The webhook that text messages are sent to. */
export async function findActiveSmsProvider(app: App): Promise<Document<LivingSmsProvider> | undefined> {
  const id = await activeSmsProviderId(app)
  const found = id === undefined ? undefined : await app.store.get(smsProviders, id)
  return found !== undefined && isLiving(found.state) ? (found as Document<LivingSmsProvider>) : undefined
}

/** Whether text messages can be sent at all. */
export async function hasSmsProvider(app: App): Promise<boolean> {
  return (await activeSmsProviderId(app)) !== undefined
}
