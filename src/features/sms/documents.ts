/** The kind of this room: webhooks for text messages, of which one at most is active. */
import { type Document, kind, type Store } from '../../store/index.ts'
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
})

/** The id of the webhook that text messages leave through. */
export function activeSmsProviderId(store: Store): Promise<string | undefined> {
  return store.findClaimHolder(ACTIVE_CLAIM, ONLY)
}

/** The webhook that text messages leave through. */
export async function findActiveSmsProvider(store: Store): Promise<Document<LivingSmsProvider> | undefined> {
  const id = await activeSmsProviderId(store)
  const found = id === undefined ? undefined : await store.get(smsProviders, id)
  return found !== undefined && isLiving(found.state) ? (found as Document<LivingSmsProvider>) : undefined
}

/** Whether text messages can be sent at all. */
export async function hasSmsProvider(store: Store): Promise<boolean> {
  return (await activeSmsProviderId(store)) !== undefined
}
