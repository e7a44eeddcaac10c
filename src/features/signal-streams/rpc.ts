/** The methods of SignalService about streams. Receivers change theirs by the protocol; administrators see and remove them. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { SignalStreamState } from '../../../contract/gen/signet/signal/v1/signal_pb.ts'
import { SignalService } from '../../../contract/gen/signet/signal/v1/signal_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { visibleOwners } from '../../module/visible-owners.ts'
import type { Document } from '../../store/index.ts'
import { lastSequence, queueStatus, wakeQueue } from '../deliveries/index.ts'
import { isLiving, type LivingStream } from './decider.ts'
import { destinationOf } from './destination.ts'
import { signalStreams } from './documents.ts'
import { deliveredTypes } from './security-event.ts'

/** Who sees what the receivers of the instance get must be allowed to read it, or to change the instance. */
const ON_INSTANCE = { read: 'events.read', write: 'iam.write' } as const

const STATES = {
  enabled: SignalStreamState.ENABLED,
  paused: SignalStreamState.PAUSED,
  disabled: SignalStreamState.DISABLED,
} as const satisfies Record<LivingStream['status'], SignalStreamState>

async function messageOf(app: App, { id, owner, state, sequence, createdAt }: Document<LivingStream>, head: number) {
  const { position = sequence, failing, deliveredAt } = await queueStatus(app, destinationOf(id))
  const { delivery, description, receiverId, reason = '', status } = state
  return {
    id,
    creationDate: timestampFromMs(createdAt),
    organizationId: owner === app.instanceId ? '' : owner,
    receiverId,
    description,
    endpoint: delivery.method === 'push' ? delivery.url : '',
    state: STATES[status],
    reason,
    eventTypes: [...deliveredTypes(state)],
    position: BigInt(position),
    behind: BigInt(Math.max(0, head - position)),
    ...(deliveredAt !== undefined && { lastDeliveryDate: timestampFromMs(deliveredAt) }),
    ...(failing !== undefined && { failingSince: timestampFromMs(failing.since), failure: failing.reason }),
  }
}

function authorizeOwner({ instanceId }: App, call: Call, owner: string): void {
  if (owner === instanceId) call.authorizeWith(ON_INSTANCE.write, instanceId)
  else call.authorize(owner)
}

/** The methods of this module. */
export function signalStreamMethods(app: App): readonly Method[] {
  const { store } = app
  return methods(SignalService, {
    async listSignalStreams({ pagination, organizationId }, call) {
      const page = pageOf(pagination, 'pagination')
      const where = visibleOwners(app, call, organizationId, ON_INSTANCE.read)
      const { total, documents } = await store.find(signalStreams, { where, orderBy: 'createdAt', ...page })
      const living = documents.filter(({ state }) => isLiving(state)) as readonly Document<LivingStream>[]
      const head = await lastSequence(store)
      return {
        pagination: { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) },
        streams: await Promise.all(living.map((stream) => messageOf(app, stream, head))),
      }
    },
    async deleteSignalStream({ streamId }, call) {
      const removed = await store.getRemoved(signalStreams, streamId)
      const found = removed ?? (await store.get(signalStreams, streamId))
      authorizeOwner(app, call, found?.owner ?? app.instanceId)
      if (removed !== undefined) return { deletionDate: timestampFromMs(removed.changedAt) }
      if (found === undefined) return {}
      const { at } = await store.write(call.origin, (work) => work.decide(signalStreams, streamId, { type: 'remove' }))
      await wakeQueue(app, destinationOf(streamId))
      return { deletionDate: timestampFromMs(at) }
    },
  })
}
