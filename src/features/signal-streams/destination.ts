/** Streams that events are pushed to, as destinations (RFC 8935). */
import type { App } from '../../module/app.ts'
import type { DestinationKind, EventFilter } from '../../module/destinations.ts'
import type { Document } from '../../store/index.ts'
import { isLiving, type LivingStream, type SignalStream } from './decider.ts'
import { findStream, headerPlace, signalStreams } from './documents.ts'
import { isHeard } from './receivers.ts'
import { filterOf, securityEventOf } from './security-event.ts'

const PAGE = 1_000
const TIMEOUT_MS = 10_000
const PER_SECOND = 100

/** Events before this sequence are never for the stream: those before it was added, and while it was disabled. */
export async function beganAt({ store }: App, id: string): Promise<number> {
  const types = ['signal_stream.added.v1', 'signal_stream.restarted.v1']
  const [last] = await store.events({ kinds: [signalStreams.name], id, types, descending: true, limit: 1 })
  return last?.sequence ?? 0
}

function isPushed({ status, delivery }: LivingStream): boolean {
  return status === 'enabled' && delivery.method === 'push'
}

async function listPushed(app: App) {
  const pushed: { id: string; wants: EventFilter }[] = []
  for (let offset = 0; ; offset += PAGE) {
    const { documents } = await app.store.find(signalStreams, { offset, limit: PAGE })
    for (const document of documents as readonly Document<SignalStream>[]) {
      if (!isLiving(document.state) || !isPushed(document.state)) continue
      pushed.push({ id: document.id, wants: filterOf(app, document as Document<LivingStream>) })
    }
    if (documents.length < PAGE) return pushed
  }
}

/** The name of a stream as a destination. */
export function destinationOf(id: string) {
  return { kind: signalStreams.name, id }
}

export const streamDestinations: DestinationKind<App> = {
  name: signalStreams.name,
  dependsOn: [signalStreams.name],
  list: listPushed,
  async find(app, id) {
    const stream = await findStream(app.store, id)
    if (stream === undefined) return undefined
    return {
      owner: stream.owner,
      isActive: isPushed(stream.state) && (await isHeard(app, stream)),
      since: await beganAt(app, id),
      wants: filterOf(app, stream),
      timeoutMs: TIMEOUT_MS,
      perSecond: PER_SECOND,
    }
  },
  async eventRequest(app, id, event) {
    const stream = await findStream(app.store, id)
    if (stream?.state.delivery.method !== 'push') return undefined
    const made = await securityEventOf(app, stream, event)
    if (made === undefined) return undefined
    const { delivery, secret } = stream.state
    const header = secret && (await app.vault.open(headerPlace(id), secret.authorization))
    return {
      url: delivery.url,
      headers: {
        'content-type': 'application/secevent+jwt',
        accept: 'application/json',
        ...(header !== undefined && { authorization: header }),
      },
      body: made.token,
    }
  },
  async switchOff({ store, clock }, id) {
    const command = {
      type: 'set_status',
      status: 'disabled',
      reason: 'The endpoint answered that it is gone.',
    } as const
    await store.write({ actor: 'server', at: clock() }, (work) => work.decide(signalStreams, id, command))
  },
}
