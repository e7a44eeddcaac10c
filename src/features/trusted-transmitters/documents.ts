/** The kind of this module, and who may read and change its documents. */
import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type Document, kind, type Origin, type Reader } from '../../store/index.ts'
import { isLiving, type LivingTransmitter, trustedTransmitter } from './decider.ts'
import { trustedTransmitterEvents } from './events.ts'
import { trustedTransmitterRefusals } from './refusals.ts'

/** Owned by the organization whose users it may act on, or by the instance. */
export const trustedTransmitters = kind({
  name: 'trusted-transmitter',
  ids: 'own',
  waits: false,
  path: { changedBy: 'Only owners.' },
  version: 1,
  events: trustedTransmitterEvents,
  decider: trustedTransmitter,
  refusals: trustedTransmitterRefusals,
  fields: { providerId: { path: ['providerId'], type: 'text' } },
  isGone: (state) => state.status === 'removed',
  limits: [{ things: 'trusted transmitters', holder: 'an organization or the instance', by: ['owner'], number: 20 }],
})

/** A transmitter that is trusted. */
export async function findTransmitter(reader: Reader, id: string): Promise<Document<LivingTransmitter> | undefined> {
  const found = await reader.get(trustedTransmitters, id)
  return found !== undefined && isLiving(found.state) ? (found as Document<LivingTransmitter>) : undefined
}

/** Who changes whom the whole instance trusts must be allowed to change the instance. */
const ON_INSTANCE = { read: 'events.read', write: 'iam.write' } as const

/** The permission with which lists have what the instance trusts. */
export const INSTANCE_READERS = ON_INSTANCE.read

/** Throws unless the caller may read or write what an organization or the instance trusts. */
export function authorizeOwner({ instanceId }: App, call: Call, owner: string, use: 'read' | 'write'): void {
  if (owner === instanceId) call.authorizeWith(ON_INSTANCE[use], instanceId)
  else call.authorize(owner)
}

/** The transmitter, for a caller with the permission where it belongs. Only the instance is told that there is none. */
export async function transmitterForCaller(
  app: App,
  call: Call,
  id: string,
  use: 'read' | 'write',
): Promise<Document<LivingTransmitter>> {
  const found = await findTransmitter(app.store, id)
  authorizeOwner(app, call, found?.owner ?? app.instanceId, use)
  if (found === undefined) throw refused(trustedTransmitterRefusals, 'trusted_transmitter.not_found')
  return found
}

async function removeAll({ store }: App, ids: readonly string[], origin: Origin): Promise<number> {
  if (ids.length === 0) return 0
  await store.write(origin, async (work) => {
    for (const id of ids) await work.decide(trustedTransmitters, id, { type: 'remove' })
  })
  return ids.length
}

/** Removes what a removed organization trusted; returns how many. */
export async function removeTransmittersOf(app: App, organizationId: string, origin: Origin, limit: number) {
  const where = { field: 'owner', equals: organizationId } as const
  return removeAll(app, await app.store.findIds(trustedTransmitters, where, limit), origin)
}

/** Removes the transmitters of a removed identity provider; returns how many. */
export async function removeTransmittersOfProvider(app: App, providerId: string, origin: Origin, limit: number) {
  const where = { field: 'providerId', equals: providerId } as const
  return removeAll(app, await app.store.findIds(trustedTransmitters, where, limit), origin)
}
