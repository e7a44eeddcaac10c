/** The kinds of this module. All of them leave the log an hour after they expired. */
import { type AnyKind, kind, type Retention, removalKind, type Store } from '../../store/index.ts'
import { backchannelRequests } from './backchannel/documents.ts'
import {
  authorizationRequest,
  type DeviceAuthorization,
  deviceAuthorization,
  pushedRequest,
  usedAssertion,
} from './decider.ts'
import {
  authorizationRequestEvents,
  deviceAuthorizationEvents,
  pushedRequestEvents,
  usedAssertionEvents,
} from './events.ts'
import { authorizationRequestRefusals } from './refusals.ts'
import { samlRequests } from './saml/documents.ts'

const RETENTION_MS = 3_600_000

/** The claim on the code that a user types. */
export const USER_CODE_CLAIM = 'device-user-code'

const expiry = { expiresAt: { path: ['expiresAt'], type: 'number' } } as const

export const authorizationRequests = kind({
  name: 'authorization-request',
  ids: 'own',
  waits: { endsAlone: 'It gives nothing before somebody signs in for it, and what it gives then is a grant.' },
  path: false,
  version: 3,
  events: authorizationRequestEvents,
  decider: authorizationRequest,
  refusals: authorizationRequestRefusals,
  fields: expiry,
  removable: true,
})

export const pushedRequests = kind({
  name: 'pushed-request',
  ids: 'own',
  waits: { endsAlone: 'Its client shows what it authenticates with again. It asks, and gives nothing.' },
  path: false,
  version: 2,
  events: pushedRequestEvents,
  decider: pushedRequest,
  refusals: authorizationRequestRefusals,
  fields: expiry,
  removable: true,
})

export const deviceAuthorizations = kind({
  name: 'device-authorization',
  ids: 'own',
  waits: { endsAlone: "It is nobody's before somebody approves it, and what it gives then is a grant." },
  path: false,
  version: 2,
  events: deviceAuthorizationEvents,
  decider: deviceAuthorization,
  refusals: authorizationRequestRefusals,
  fields: expiry,
  claims: (state: DeviceAuthorization) =>
    state.status === 'pending'
      ? [
          {
            kind: USER_CODE_CLAIM,
            within: { instance: 'It is made here at random.' },
            value: state.secret.userCodeHash,
            taken: 'device_authorization.code_taken' as const,
          },
        ]
      : [],
  removable: true,
})

/** The id is a hash of the issuer and the ID of the assertion. */
export const usedAssertions = kind({
  name: 'used-assertion',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: usedAssertionEvents,
  decider: usedAssertion,
  refusals: authorizationRequestRefusals,
  fields: expiry,
  removable: true,
})

/** Records which of these were deleted from the log. */
const retirements = removalKind('authorization-request-retirement', 'authorization_request.retired.v1')

/** The kinds whose streams leave the log. */
const SHORT_LIVED: readonly AnyKind[] = [
  authorizationRequests,
  pushedRequests,
  deviceAuthorizations,
  usedAssertions,
  backchannelRequests,
  samlRequests,
]

export const authorizationRequestKinds: readonly AnyKind[] = [...SHORT_LIVED, retirements]

interface Expiring {
  readonly expiresAt?: number
}

export const authorizationRequestRetentions: readonly Retention<Expiring>[] = SHORT_LIVED.map((one) => ({
  kind: one,
  records: retirements,
  retentionMs: RETENTION_MS,
  batchSize: 200,
  findEnded: (store: Store, endedBy: number, limit: number) =>
    store.findIds(one, { field: 'expiresAt', atMost: endedBy }, limit),
  hasEnded: ({ state }, endedBy) => state.expiresAt !== undefined && state.expiresAt <= endedBy,
}))
