/** Makes the security event token (RFC 8417) of an event for one stream, signed with the web keys of the instance. */
import type { App } from '../../module/app.ts'
import { type Document, positionOf, positionText, readPosition, type StoredEvent } from '../../store/index.ts'
import { userOfSession } from '../sessions/index.ts'
import { signJwt } from '../web-keys/index.ts'
import type { LivingStream } from './decider.ts'
import { signalStreams } from './documents.ts'
import { needsOf, SUPPORTED, signalOf, typesFor, VERIFICATION } from './signals.ts'

/** How many earlier events of an object are looked at. */
const MOST_EARLIER = 200

/** The types of events that a stream gets: what the receiver asked for, as far as there is such a thing. */
export function deliveredTypes({ requested }: Pick<LivingStream, 'requested'>): readonly string[] {
  return requested === undefined ? SUPPORTED : SUPPORTED.filter((uri) => requested.includes(uri))
}

/** Which events of the log may be for a stream. */
export function filterOf({ instanceId }: App, { id, owner, state }: Document<LivingStream>) {
  return {
    ...(owner !== instanceId && { owner }),
    types: typesFor(deliveredTypes(state)),
    // A verification is for the stream that asked for it.
    matches: (event: StoredEvent) => event.kind !== signalStreams.name || event.id === id,
  }
}

/** The ID of the token of an event: the same for each attempt, and another one for another log. */
function tokenId(streamId: string, event: StoredEvent): string {
  return `${streamId}.${positionText(positionOf(event))}`
}

/** The sequence of the event whose token has this ID; undefined when it is none of the stream. */
export function sequenceOf(streamId: string, jti: string): number | undefined {
  const prefix = `${streamId}.`
  return jti.startsWith(prefix) ? readPosition(jti.slice(prefix.length))?.sequence : undefined
}

/** The user whom an event concerns. Streams of credentials have the ID of their user, keys name theirs. */
async function userOf(app: App, event: StoredEvent, earlier: readonly StoredEvent[]): Promise<string | undefined> {
  if (event.kind === 'session') return userOfSession(app.store, event.id)
  if (event.kind !== 'passkey') return event.id
  const { userId } = (earlier[0] ?? event).data as { readonly userId?: string }
  return userId
}

async function earlierOf({ store }: App, event: StoredEvent): Promise<readonly StoredEvent[]> {
  const types = needsOf(event)
  if (types.length === 0) return []
  const found = await store.events({ kinds: [event.kind], id: event.id, types, limit: MOST_EARLIER })
  return found.filter(({ sequence }) => sequence < event.sequence)
}

/** A token, and the ID that the receiver acknowledges it by. */
export interface SecurityEvent {
  readonly jti: string
  readonly token: string
}

/** The token of an event for a stream; undefined: the event is not for it. */
export async function securityEventOf(
  app: App,
  stream: Document<LivingStream>,
  event: StoredEvent,
): Promise<SecurityEvent | undefined> {
  const { id, state } = stream
  const earlier = await earlierOf(app, event)
  const userId = await userOf(app, event, earlier)
  const signal = userId === undefined ? undefined : signalOf(event, { userId, earlier })
  if (signal === undefined || userId === undefined || !filterOf(app, stream).matches(event)) return undefined
  if (signal.uri !== VERIFICATION) {
    if (state.excluded.includes(userId) || !deliveredTypes(state).includes(signal.uri)) return undefined
  }
  const user = { format: 'iss_sub', iss: app.externalUrl, sub: userId }
  const subjects = {
    user,
    session: { format: 'complex', user, session: { format: 'opaque', id: event.id } },
    stream: { format: 'opaque', id },
  }
  const jti = tokenId(id, event)
  const claims = {
    iss: app.externalUrl,
    jti,
    iat: Math.floor(event.at / 1000),
    aud: state.receiverId,
    txn: positionText(positionOf(event)),
    sub_id: subjects[signal.about],
    events: { [signal.uri]: signal.claims },
  }
  return { jti, token: await signJwt(app, claims, { typ: 'secevent+jwt' }) }
}
