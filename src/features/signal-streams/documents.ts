/** The kind of this module, and how streams are found. */
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type Document, kind, type Origin, type Reader, type Work } from '../../store/index.ts'
import { isLiving, type LivingStream, signalStream } from './decider.ts'
import { signalStreamEvents } from './events.ts'
import { signalStreamRefusals } from './refusals.ts'

/** Owned by the organization whose users it is about, or by the instance. A removed one has no receiver. */
export const signalStreams = kind({
  name: 'signal-stream',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: signalStreamEvents,
  decider: signalStream,
  refusals: signalStreamRefusals,
  fields: { receiverId: { path: ['receiverId'], type: 'text' } },
  isGone: (state) => state.status === 'removed',
  sealed(state) {
    const before = isLiving(state) ? state.secret?.authorization : undefined
    if (before === undefined) return []
    return [{ member: 'authorization', text: before, reseal: (after) => ({ type: 'reseal', before, after }) as const }]
  },
  limits: [
    { things: 'streams of signals', holder: 'a receiver', by: ['receiverId'], number: 10 },
    { things: 'streams of signals', holder: 'an organization or the instance', by: ['owner'], number: 50 },
    {
      things: 'subjects that were removed',
      holder: 'a stream of signals',
      inside: (state) => (isLiving(state) ? state.excluded.length : 0),
      number: 1_000,
    },
  ],
})

/** The place for which the header of a receiver is encrypted. */
export function headerPlace(id: string) {
  return { kind: signalStreams.name, id, member: 'authorization' } as const
}

/** A stream that exists. */
export async function findStream(reader: Reader, id: string): Promise<Document<LivingStream> | undefined> {
  const found = await reader.get(signalStreams, id)
  return found !== undefined && isLiving(found.state) ? (found as Document<LivingStream>) : undefined
}

/** The stream of this receiver; throws when there is none, also when it is the stream of another one. */
export async function requireStream(reader: Reader, receiverId: string, id: string): Promise<Document<LivingStream>> {
  const stream = await findStream(reader, id)
  if (stream === undefined || stream.state.receiverId !== receiverId) {
    throw refused(signalStreamRefusals, 'signal_stream.not_found')
  }
  return stream
}

/** The streams of a receiver, oldest first. */
export async function streamsOf({ store }: App, receiverId: string): Promise<readonly Document<LivingStream>[]> {
  const where = { field: 'receiverId', equals: receiverId } as const
  const { documents } = await store.find(signalStreams, { where, orderBy: 'createdAt', limit: 100 })
  return documents.filter(({ state }) => isLiving(state)) as readonly Document<LivingStream>[]
}

/** Removes the streams of a user in the commit that removes the user. */
export async function removeStreamsOfReceiver({ store }: App, work: Work, receiverId: string): Promise<void> {
  for (const id of await store.findIds(signalStreams, { field: 'receiverId', equals: receiverId })) {
    if ((await findStream(work, id)) !== undefined) await work.decide(signalStreams, id, { type: 'remove' })
  }
}

/** Removes streams of a removed organization; returns how many. */
export async function removeStreamsOf({ store }: App, organizationId: string, origin: Origin, limit: number) {
  const ids = await store.findIds(signalStreams, { field: 'owner', equals: organizationId }, limit)
  if (ids.length === 0) return 0
  await store.write(origin, async (work) => {
    for (const id of ids) await work.decide(signalStreams, id, { type: 'remove' })
  })
  return ids.length
}
