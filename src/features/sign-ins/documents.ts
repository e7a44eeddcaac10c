/** The kinds of this module, what they count, and how long they are kept. */
import { instant } from '../../kernel/instant.ts'
import { type AnyKind, COUNTS_KEPT_MS, type Count, kind, type Retention, removalKind } from '../../store/index.ts'
import { address, CLOSED_AFTER_MS, type RefusedRequests, refusedRequest, signIn, tally } from './decider.ts'
import {
  addressEvents,
  type Reason,
  type Received,
  refusedRequestEvents,
  type SignInRetirementEvent,
  signInEvents,
  tallyEvents,
} from './events.ts'

/** At most this many failures without a session are kept for an organization in an hour. Further ones are only counted. */
export const MOST_FAILURES_IN_HOUR = 1000

const DAY_MS = 24 * 3_600_000

/** Where numbers are counted: on the whole instance, for an organization, an application, or by applications. */
export const SCOPES = {
  instance: '',
  organization: (id: string) => `org:${id}`,
  application: (id: string) => `app:${id}`,
  /** The applications of the users of an organization; of all users, without one. */
  applications: (organizationId = '') => `apps:${organizationId}`,
} as const

function failed(
  organizationId: string,
  reason: Reason,
  applicationId: string | undefined,
  times: number,
): readonly Count[] {
  const name = `f:${reason}`
  const counts = [
    { scope: SCOPES.instance, name, times },
    { scope: SCOPES.organization(organizationId), name, times },
  ]
  if (applicationId === undefined) return counts
  const ranked = { name: `f:${applicationId}`, times, unit: 'day' } as const
  return [
    ...counts,
    { scope: SCOPES.application(applicationId), name, times },
    { scope: SCOPES.applications(), ...ranked },
    { scope: SCOPES.applications(organizationId), ...ranked },
  ]
}

export const signIns = kind({
  name: 'sign-in',
  ids: { of: 'session' },
  waits: false,
  path: false,
  version: 1,
  personal: { by: 'userId' },
  events: signInEvents,
  decider: signIn,
  refusals: {},
  fields: {
    userId: { path: ['userId'], type: 'text', beside: ['createdAt'], sparse: true },
    outcome: { path: ['outcome'], type: 'text', selective: false },
    method: { path: ['method'], type: 'text', indexed: false },
    reason: { path: ['reason'], type: 'text', indexed: false },
    applicationId: { path: ['applicationId'], type: 'text', beside: ['createdAt'], sparse: true },
    otherApplications: { path: ['otherApplications'], type: 'text', isLong: true, sparse: true },
    failedIn: { path: ['failedIn'], type: 'text', sparse: true },
  },
  counts(event, owner) {
    switch (event.type) {
      case 'sign_in.continued.v1':
        return []
      case 'sign_in.succeeded.v1': {
        const name = `s:${event.data.method}`
        return [
          { scope: SCOPES.instance, name },
          { scope: SCOPES.organization(owner), name },
        ]
      }
      case 'sign_in.failed.v1':
        return failed(owner, event.data.reason, event.data.application?.applicationId, 1)
      case 'sign_in.application_joined.v1': {
        const { applicationId, method } = event.data
        const ranked = { name: `s:${applicationId}`, unit: 'day' } as const
        return [
          { scope: SCOPES.application(applicationId), name: `s:${method}` },
          { scope: SCOPES.applications(), ...ranked },
          { scope: SCOPES.applications(owner), ...ranked },
        ]
      }
    }
  },
  removable: true,
  limits: [
    {
      things: 'failed sign-ins without a session',
      holder: 'an organization in one hour',
      by: ['failedIn'],
      number: MOST_FAILURES_IN_HOUR,
    },
  ],
})

/** Failures that are only counted: each stream has one event. */
export const tallies = kind({
  name: 'sign-in-tally',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: tallyEvents,
  decider: tally,
  refusals: {},
  fields: {},
  counts: ({ data }) =>
    data.failures.flatMap(({ organizationId, applicationId, reason, count }) =>
      failed(organizationId, reason, applicationId, count),
    ),
  removable: true,
})

/** It has the ID of the sign-in and is apart from it, because addresses are kept for a shorter time. */
export const addresses = kind({
  name: 'sign-in-address',
  ids: { of: 'session' },
  waits: false,
  path: false,
  version: 1,
  personal: { by: 'userId' },
  events: addressEvents,
  decider: address,
  refusals: {},
  fields: { userId: { path: ['userId'], type: 'text', sparse: true } },
  removable: true,
})

/** Why a request with a wrong value fails. */
export const REASONS: Readonly<Record<Received['what'], Reason>> = {
  redirect_uri: 'wrong_redirect_uri',
  client_authentication: 'wrong_client_secret',
}

/** The ID is that of the application; each event adds some values. */
export const refusedRequests = kind({
  name: 'refused-request',
  ids: { of: 'application' },
  waits: false,
  path: false,
  version: 1,
  events: refusedRequestEvents,
  decider: refusedRequest,
  refusals: {},
  fields: { lastAt: { path: ['lastAt'], type: 'number' } },
  counts: ({ data: { applicationId, received } }, owner) =>
    received.flatMap(({ what, count }) => failed(owner, REASONS[what], applicationId, count)),
  removable: true,
})

/** All kinds whose numbers belong together. */
export const COUNTING = [signIns, tallies, refusedRequests].map(({ name }) => name)

type Retired = SignInRetirementEvent['type']

export const signInRetirements = [
  removalKind<Retired>('sign-in-retirement', 'sign_in.retired.v1'),
  removalKind<Retired>('sign-in-tally-retirement', 'sign_in_tally.retired.v1'),
  removalKind<Retired>('refused-request-retirement', 'refused_request.retired.v1'),
  removalKind<Retired>('sign-in-address-retirement', 'sign_in_address.retired.v1'),
] as const

/** Streams that count stay longer than their numbers. */
const RETENTION_MS = COUNTS_KEPT_MS + DAY_MS

function byCreation(counted: AnyKind, records: (typeof signInRetirements)[number], retentionMs: number): Retention {
  return {
    kind: counted,
    records,
    retentionMs,
    batchSize: 200,
    findEnded: (store, endedBy, limit) => store.findIds(counted, { field: 'createdAt', atMost: endedBy }, limit),
    hasEnded: ({ createdAt }, endedBy) => createdAt <= endedBy,
  }
}

/** What is removed when; `addressesMs`: how long it is known where a sign-in came from. */
export const signInRetentions = (addressesMs: number): readonly Retention[] => [
  byCreation(addresses, signInRetirements[3], addressesMs),
  // Nothing was added to it for so long.
  byCreation(signIns, signInRetirements[0], RETENTION_MS + CLOSED_AFTER_MS),
  byCreation(tallies, signInRetirements[1], RETENTION_MS),
  {
    kind: refusedRequests,
    records: signInRetirements[2],
    retentionMs: RETENTION_MS,
    batchSize: 200,
    findEnded: (store, endedBy, limit) => store.findIds(refusedRequests, { field: 'lastAt', atMost: endedBy }, limit),
    hasEnded: ({ state }, endedBy) => (state as RefusedRequests).lastAt <= instant(endedBy),
  } as Retention,
]
