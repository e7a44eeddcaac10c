/** The kind of requests on the back channel. They leave the log an hour after they expired, so its limits are per hour. */
import type { Place } from '../../../crypto/seal.ts'
import { kind } from '../../../store/index.ts'
import { endingsOf } from '../../generations/index.ts'
import { authorizationRequestRefusals } from '../refusals.ts'
import { backchannelRequest } from './decider.ts'
import { backchannelRequestEvents } from './events.ts'

const OPEN = 'requests for approval that wait'
const UNAPPROVED = 'requests for approval in about an hour that were not approved'
const OF_ONE_APPLICATION = 'a user, from one application,'

/** The kind of the jobs that tell applications of a decision. */
export const PING_JOB = 'backchannel-ping'

export interface PingData {
  /** Of the request. */
  readonly id: string
}

/** The ID is a hash of that which the application knows. */
export const backchannelRequests = kind({
  name: 'backchannel-request',
  ids: 'own',
  waits: { endsWith: ['user', 'organization', 'project'] },
  path: false,
  version: 2,
  events: backchannelRequestEvents,
  decider: backchannelRequest,
  refusals: authorizationRequestRefusals,
  fields: {
    expiresAt: { path: ['expiresAt'], type: 'number' },
    applicationId: { path: ['applicationId'], type: 'text' },
    openFor: { path: ['open', 'userId'], type: 'text' },
    openBy: { path: ['open', 'applicationId'], type: 'text', indexed: false },
    unapprovedFor: { path: ['unapproved', 'userId'], type: 'text' },
    unapprovedBy: { path: ['unapproved', 'applicationId'], type: 'text', indexed: false },
  },
  sealed(state) {
    const text = state.status === 'unknown' ? undefined : state.secret.ping
    if (text === undefined) return []
    return [{ member: 'ping', text, reseal: (after: string) => ({ type: 'reseal', before: text, after }) as const }]
  },
  limits: [
    { things: OPEN, holder: OF_ONE_APPLICATION, by: ['openFor', 'openBy'], number: 3 },
    { things: OPEN, holder: 'a user', by: ['openFor'], number: 10 },
    { things: UNAPPROVED, holder: OF_ONE_APPLICATION, by: ['unapprovedFor', 'unapprovedBy'], number: 20 },
    { things: UNAPPROVED, holder: 'a user', by: ['unapprovedFor'], number: 60 },
    {
      things: 'requests for approval in about an hour',
      holder: 'an application',
      by: ['applicationId'],
      number: 20_000,
    },
  ],
  jobAfter({ type }, { id, before }) {
    const isDecided = type === 'backchannel_request.approved.v1' || type === 'backchannel_request.denied.v1'
    if (!isDecided || before.status === 'unknown' || before.secret.ping === undefined) return undefined
    const data: PingData = { id }
    return { kind: PING_JOB, data }
  },
  removable: true,
})

/** What ends a request beside its application and the project of that: nobody decides it after it was undone. */
export const approvalEndings = endingsOf(backchannelRequests)

/** The place for which what is sent to the application is sealed. */
export function pingPlace(id: string): Place {
  return { kind: backchannelRequests.name, id, member: 'ping' }
}
