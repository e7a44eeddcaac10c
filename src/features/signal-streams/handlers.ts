/** What receivers do with their streams. The rules are checked inside of each write. */
import type { SignalReceiver } from '../../access/signal-receiver.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import type { Document, Work } from '../../store/index.ts'
import { resumeQueue, wakeQueue } from '../deliveries/index.ts'
import { organizationOfUser } from '../users/index.ts'
import type { LivingStream, SignalStreamCommand } from './decider.ts'
import { destinationOf } from './destination.ts'
import { headerPlace, requireStream, signalStreams, streamsOf } from './documents.ts'
import type { StreamSettings } from './events.ts'
import { ownerOfNewStream, requireHearing } from './receivers.ts'
import { signalStreamRefusals } from './refusals.ts'

/** A configuration: `header` is the value with which the receiver recognizes us. */
export interface Configuration {
  readonly settings: StreamSettings
  /** `kept`: the one that it has. */
  readonly header?: { readonly value: string } | 'kept' | undefined
}

/** Refuses an address that could never be called. The addresses of a host name are checked at each request. */
function checkSettings({ config }: App, { delivery }: StreamSettings): void {
  const description =
    delivery.method === 'push' ? endpointProblem(delivery.url, config.allowsPrivateNetwork) : undefined
  if (description === undefined) return
  const violations = [{ field: 'delivery.endpoint_url', description }]
  throw refused(signalStreamRefusals, 'signal_stream.configuration_invalid', { violations })
}

function originOf({ caller, at }: SignalReceiver) {
  return { actor: { user: caller.userId }, at }
}

async function sealedHeader({ vault }: App, work: Work, id: string, value: string): Promise<string> {
  return vault.seal(work, headerPlace(id), value)
}

/** The stream of the receiver, if its token still reaches as far as the stream. */
async function streamIn(app: App, work: Work, { caller }: SignalReceiver, id: string): Promise<Document<LivingStream>> {
  const stream = await requireStream(work, caller.userId, id)
  requireHearing(app, caller.grants, stream.owner)
  return stream
}

/** A stream of the receiver, to read it or its events. */
export async function readStream(app: App, { caller }: SignalReceiver, id: string): Promise<Document<LivingStream>> {
  const stream = await requireStream(app.store, caller.userId, id)
  requireHearing(app, caller.grants, stream.owner)
  return stream
}

/** All streams of the receiver. */
export function listStreams(app: App, { caller }: SignalReceiver): Promise<readonly Document<LivingStream>[]> {
  return streamsOf(app, caller.userId)
}

export async function createStream(
  app: App,
  receiver: SignalReceiver,
  { settings, header }: Configuration,
): Promise<Document<LivingStream>> {
  checkSettings(app, settings)
  const { value } = await app.store.write(originOf(receiver), async (work) => {
    const { caller } = receiver
    const owner = await ownerOfNewStream(app, work, caller)
    const id = await work.unusedId(signalStreams, app.newId)
    const sealed = typeof header === 'object' ? await sealedHeader(app, work, id, header.value) : undefined
    const command = { type: 'add', receiverId: caller.userId, settings, ...(sealed && { header: sealed }) } as const
    return work.decide(signalStreams, id, command, owner)
  })
  return value as Document<LivingStream>
}

/** Changes a stream; `configure` gets it as it is at the time of the write, and throws what is wrong. */
export async function configureStream(
  app: App,
  receiver: SignalReceiver,
  id: string,
  configure: (before: Document<LivingStream>) => Configuration,
): Promise<Document<LivingStream>> {
  const { value } = await app.store.write(originOf(receiver), async (work) => {
    const before = await streamIn(app, work, receiver, id)
    const { settings, header } = configure(before)
    checkSettings(app, settings)
    const sealed =
      header === 'kept'
        ? before.state.secret?.authorization
        : header && (await sealedHeader(app, work, id, header.value))
    return work.decide(signalStreams, id, { type: 'configure', settings, ...(sealed && { header: sealed }) })
  })
  await sendAgain(app, value as Document<LivingStream>)
  return value as Document<LivingStream>
}

/** What waits is sent at once, also after its endpoint failed: the receiver has just said that it works. */
async function sendAgain(app: App, { id, state }: Document<LivingStream>): Promise<void> {
  if (state.delivery.method === 'push' && state.status === 'enabled') await resumeQueue(app, destinationOf(id))
}

async function decide(app: App, receiver: SignalReceiver, id: string, command: SignalStreamCommand) {
  const { value } = await app.store.write(originOf(receiver), async (work) => {
    await streamIn(app, work, receiver, id)
    return work.decide(signalStreams, id, command)
  })
  return value as Document<LivingStream>
}

export async function setStatus(
  app: App,
  receiver: SignalReceiver,
  id: string,
  status: LivingStream['status'],
  reason?: string,
): Promise<Document<LivingStream>> {
  const command = { type: 'set_status', status, ...(reason !== undefined && { reason }) } as const
  const changed = await decide(app, receiver, id, command)
  await sendAgain(app, changed)
  return changed
}

/** Asks for a verification event. */
export async function verifyStream(app: App, receiver: SignalReceiver, id: string, state?: string): Promise<void> {
  await decide(app, receiver, id, { type: 'verify', at: receiver.at, ...(state !== undefined && { state }) })
}

/** Removes a subject, or adds it again. Nobody learns by this whether there is such a user. */
export async function changeSubject(
  app: App,
  receiver: SignalReceiver,
  id: string,
  type: 'add_subject' | 'remove_subject',
  userId: string,
): Promise<void> {
  const { owner } = await readStream(app, receiver, id)
  const home = await organizationOfUser(app, userId)
  if (home === undefined || (owner !== app.instanceId && owner !== home)) return
  await decide(app, receiver, id, { type, userId })
}

export async function removeStream(app: App, receiver: SignalReceiver, id: string): Promise<void> {
  await decide(app, receiver, id, { type: 'remove' })
  await wakeQueue(app, destinationOf(id))
}
