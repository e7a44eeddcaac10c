/** The kinds `passkey` and `passkey-registration`, and their search fields. */
import { createHash } from 'node:crypto'
import { kind } from '../../store/index.ts'
import { endingsOf } from '../generations/index.ts'
import { noticeAfter } from '../mail/index.ts'
import { type Passkey, passkey } from './decider.ts'
import { passkeyRegistration } from './decisions/registration.ts'
import { type KeyUse, passkeyEvents, passkeyRegistrationEvents } from './events.ts'
import { passkeyRefusals } from './refusals.ts'

/** How many keys a user can have: far more than needed. */
export const MOST_KEYS = 100

/** The claim on a credential id, which is unique in the instance. */
export const CREDENTIAL_CLAIM = 'passkey-credential'

/** The value of that claim: a hash, because credential IDs can have up to 1023 bytes. */
export function credentialClaim(credentialId: string): string {
  return createHash('sha256').update(credentialId).digest('base64url')
}

export const passkeys = kind({
  name: 'passkey',
  ids: 'own',
  waits: false,
  path: false,
  version: 3,
  personal: { by: 'userId' },
  events: passkeyEvents,
  decider: passkey,
  refusals: passkeyRefusals,
  fields: {
    userId: { path: ['userId'], type: 'text' },
    use: { path: ['use'], type: 'text', indexed: false },
    rpId: { path: ['rpId'], type: 'text', indexed: false },
  },
  claims: (state) =>
    state.status === 'ready'
      ? [
          {
            kind: CREDENTIAL_CLAIM,
            within: { instance: 'Authenticators make them at random.' },
            value: credentialClaim(state.credentialId),
            taken: 'passkey.credential_taken',
          },
        ]
      : [],
  isGone: (state) => state.status === 'removed',
  jobAfter: (event, { before }) => {
    const userId = event.type === 'passkey.registered.v1' ? event.data.userId : userOf(before)
    return userId === undefined ? undefined : noticeAfter(event, userId)
  },
  limits: [{ things: 'passkeys and security keys', holder: 'a user', by: ['userId'], number: MOST_KEYS }],
})

function userOf(state: Passkey): string | undefined {
  return state.status === 'ready' ? state.userId : undefined
}

export const passkeyRegistrations = kind({
  name: 'passkey-registration',
  ids: { joined: ['user', 'use'] },
  waits: { endsWith: ['user', 'organization'] },
  path: false,
  version: 3,
  events: passkeyRegistrationEvents,
  decider: passkeyRegistration,
  refusals: passkeyRefusals,
  fields: {},
  isGone: (state) => state.isRemoved,
})

/** What ends a registration: whoever began one before a lockout does not complete it when that is undone. */
export const registrationEndings = endingsOf(passkeyRegistrations)

/** The ID of the registrations of a user and use. A use contains no slash, so that two users never share an ID. */
export function registrationId(userId: string, use: KeyUse): string {
  return `${userId}/${use}`
}
