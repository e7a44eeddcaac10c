/** The kind of this module: providers of text messages, at most one of which is active. */
import type { App } from '../../module/app.ts'
import { type Document, kind } from '../../store/index.ts'
import { isLiving, type LivingSmsProvider, sealedOf, smsProvider } from './decider.ts'
import { smsProviderEvents } from './events.ts'
import { smsRefusals } from './refusals.ts'

const ACTIVE_CLAIM = 'sms-provider-active'
const ONLY = 'only'

export const smsProviders = kind({
  name: 'sms-provider',
  ids: 'own',
  waits: false,
  path: { changedBy: 'Only the instance has it.' },
  version: 2,
  events: smsProviderEvents,
  decider: smsProvider,
  refusals: smsRefusals,
  fields: {},
  claims: (state) =>
    state.status === 'active'
      ? [
          {
            kind: ACTIVE_CLAIM,
            within: { instance: 'Only the instance has providers.' },
            value: ONLY,
            taken: 'sms.other_active',
          },
        ]
      : [],
  isGone: (state) => state.status === 'removed',
  sealed: sealedOf,
  limits: [{ things: 'SMS providers', holder: 'the instance', by: ['owner'], number: 100 }],
})

/** The place for which the key of a webhook is encrypted. */
export function signingKeyPlace(id: string) {
  return { kind: smsProviders.name, id, member: 'signingKey' } as const
}

/** The place for which the token of an account at Twilio is encrypted. */
export function tokenPlace(id: string) {
  return { kind: smsProviders.name, id, member: 'token' } as const
}

/** The ID of the active provider. */
export function activeSmsProviderId({ store }: App): Promise<string | undefined> {
  return store.findClaimHolder(ACTIVE_CLAIM, ONLY)
}

/** The active provider. */
export async function findActiveSmsProvider(app: App): Promise<Document<LivingSmsProvider> | undefined> {
  const id = await activeSmsProviderId(app)
  const found = id === undefined ? undefined : await app.store.get(smsProviders, id)
  return found !== undefined && isLiving(found.state) ? (found as Document<LivingSmsProvider>) : undefined
}

/** Whether text messages can be sent. */
export async function hasSmsProvider(app: App): Promise<boolean> {
  return (await activeSmsProviderId(app)) !== undefined
}
