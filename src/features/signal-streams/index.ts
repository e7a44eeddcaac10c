/**
 * Signals out: streams of security events (OpenID Shared Signals Framework 1.0) that receivers set up for themselves. Events
 * of the log become tokens by one table; they are pushed by `deliveries`, or fetched. The protocol is in `src/ssf`.
 */
import { stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { streamDestinations } from './destination.ts'
import { removeStreamsOf, removeStreamsOfReceiver, signalStreams } from './documents.ts'
import { signalStreamRefusals } from './refusals.ts'
import { signalStreamMethods } from './rpc.ts'

export const signalStreamsModule = module({
  name: 'signal-streams',
  kinds: stays('Its receiver creates it again: the address of the server and the positions are others.', signalStreams),
  refusals: signalStreamRefusals,
  methods: signalStreamMethods,
  destinations: [streamDestinations],
  whenUserRemoved: removeStreamsOfReceiver,
  whenOrganizationRemoved: removeStreamsOf,
})

export { type LivingStream, VERIFICATION_INTERVAL_S } from './decider.ts'
export { signalStreams } from './documents.ts'
export type { StreamSettings } from './events.ts'
export {
  type Configuration,
  changeSubject,
  configureStream,
  createStream,
  listStreams,
  readStream,
  removeStream,
  setStatus,
  verifyStream,
} from './handlers.ts'
export { MOST_AT_ONCE, type Polled, pollStream, waitForEvents } from './poll.ts'
export { signalStreamRefusals } from './refusals.ts'
export { deliveredTypes } from './security-event.ts'
export { SUPPORTED as SUPPORTED_SIGNALS } from './signals.ts'
