/** The kinds of this module, and how long grants stay in the log. Their documents contain hashes of codes and tokens. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import { kind, type Retention, removalKind } from '../../store/index.ts'
import { type Grant, grant } from './decider.ts'
import { type ConsentEvent, consentEvents, grantEvents } from './events.ts'
import type { Picture } from './picture.ts'
import { type GrantRefusal, grantRefusals } from './refusals.ts'

/** Ended grants are kept for a day, so that a code or token that is used again is still recognized. */
const RETENTION_MS = 24 * 3_600_000

export const grants = kind({
  name: 'grant',
  ids: 'own',
  waits: { endsWith: ['user', 'password', 'project', 'organization'] },
  path: false,
  version: 5,
  personal: { by: 'userId' },
  events: grantEvents,
  decider: grant,
  refusals: grantRefusals,
  fields: {
    userId: { path: ['subject', 'userId'], type: 'text' },
    applicationId: { path: ['subject', 'applicationId'], type: 'text' },
    sessionId: { path: ['subject', 'sessionId'], type: 'text' },
    endsAt: { path: ['endsAt'], type: 'number' },
  },
  removable: true,
})

/** Records which grants were deleted from the log. */
export const grantRetirements = removalKind('grant-retirement', 'grant.retired.v1')

/** Deletes grants from the log a day after their last token has expired. */
export const grantRetention: Retention<Grant> = {
  kind: grants,
  records: grantRetirements,
  retentionMs: RETENTION_MS,
  batchSize: 200,
  findEnded: (store, endedBy, limit) => store.findIds(grants, { field: 'endsAt', atMost: endedBy }, limit),
  hasEnded: ({ state }, endedBy) => state.status !== 'unknown' && state.endsAt <= endedBy,
}

/** What a user allowed a third-party application. */
export type Consent =
  | { readonly status: 'none' }
  | {
      readonly status: 'given'
      readonly userId: string
      readonly clientId: string
      readonly scopes: readonly string[]
      /** The URI of the resource that the scopes are about. */
      readonly resource?: string
      readonly picture?: Picture
      readonly givenAt: Instant
    }

type ConsentCommand =
  | {
      readonly type: 'give'
      readonly userId: string
      readonly clientId: string
      readonly scopes: readonly string[]
      readonly resource?: string | undefined
      readonly picture?: Picture | undefined
      readonly at: Instant
    }
  | { readonly type: 'withdraw' }

const consent: Decider<ConsentCommand, Consent, ConsentEvent, GrantRefusal> = {
  initial: { status: 'none' },

  evolve(_, event) {
    return event.type === 'consent.given.v1' ? { status: 'given', ...event.data } : { status: 'none' }
  },

  decide(command, state) {
    if (command.type === 'withdraw') {
      return state.status === 'given' ? accept({ type: 'consent.withdrawn.v1', data: {} }) : refuse('grant.no_consent')
    }
    const { userId, clientId, scopes, resource, picture, at: givenAt } = command
    const about = { ...(resource !== undefined && { resource }), ...(picture !== undefined && { picture }) }
    return accept({ type: 'consent.given.v1', data: { userId, clientId, scopes, ...about, givenAt } })
  },
}

/** The ID is `consentId(...)`: one for each resource, and one for everything else. */
export const consents = kind({
  name: 'consent',
  ids: { joined: ['user', 'client', 'resource'] },
  waits: false,
  path: false,
  version: 3,
  personal: { by: 'userId' },
  events: consentEvents,
  decider: consent,
  refusals: grantRefusals,
  fields: { userId: { path: ['userId'], type: 'text' } },
  limits: [{ things: 'applications with consent', holder: 'a user', by: ['userId'], number: 10_000 }],
})

export function consentId(userId: string, clientId: string, resource?: string): string {
  return resource === undefined ? `${userId} ${clientId}` : `${userId} ${clientId} ${resource}`
}
