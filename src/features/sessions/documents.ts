/** The kinds of this room. Documents of sessions hold hashes of tokens; only this room reads them. */
import { accept, type Decider } from '../../kernel/decider.ts'
import { type ForgottenRecord, kind } from '../../store/index.ts'
import { session } from './decider.ts'
import type { RetirementEvent } from './events.ts'
import { sessionRefusals } from './refusals.ts'

/**
 * An ended session has none of these fields, so that nobody who looks for sessions finds it. Creators and user agents
 * are asked for so rarely that an index is not worth what it costs every sign-in.
 */
export const sessions = kind({
  name: 'session',
  version: 1,
  decider: session,
  refusals: sessionRefusals,
  fields: {
    userId: { path: ['user', 'id'], type: 'text' },
    organizationId: { path: ['user', 'organizationId'], type: 'text' },
    creatorId: { path: ['creatorId'], type: 'text', indexed: false },
    fingerprintId: { path: ['userAgent', 'fingerprintId'], type: 'text', indexed: false },
    endsAt: { path: ['endsAt'], type: 'number' },
  },
  forgettable: true,
})

/** A name by which sessions can be filtered. */
export type SessionField = keyof typeof sessions.fields & string

/** How many sessions have left the log, and how many events with them. */
export interface Retirement {
  readonly sessions: number
  readonly events: number
}

export interface RetirementCommand {
  readonly type: 'retire'
  readonly record: ForgottenRecord
}

const retirement: Decider<RetirementCommand, Retirement, RetirementEvent, never> = {
  initial: { sessions: 0, events: 0 },
  evolve: ({ sessions, events }, { data }) => ({ sessions: sessions + data.streams, events: events + data.events }),
  decide: ({ record }) => accept({ type: 'session.retired.v1', data: record }),
}

/** There is one; its stream has the id of the instance. */
export const sessionRetirements = kind({
  name: 'session-retirement',
  version: 1,
  decider: retirement,
  refusals: {},
  fields: {},
})
