/** Whether a receiver may still get the events of a stream: what a machine user loses, its streams lose at once. */
import type { Grant } from '../../access/call.ts'
import { holdsIn, holdsOnInstance } from '../../access/roles.ts'
import { SIGNALS_PERMISSION, signalsReach } from '../../access/signal-receiver.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Reader } from '../../store/index.ts'
import { grantsOf } from '../memberships/index.ts'
import { organizationState } from '../organizations/index.ts'
import { activePerson } from '../users/index.ts'
import type { LivingStream } from './decider.ts'
import { signalStreamRefusals } from './refusals.ts'

/** Whether grants allow to learn of the users of an organization, or of all. */
function mayHear({ instanceId }: App, grants: readonly Grant[], owner: string): boolean {
  return owner === instanceId ? holdsOnInstance(grants, SIGNALS_PERMISSION) : holdsIn(grants, SIGNALS_PERMISSION, owner)
}

/** Whether the receiver of a stream is active and has the right that the stream needs. */
export async function isHeard(app: App, { owner, state }: Document<LivingStream>): Promise<boolean> {
  if (owner !== app.instanceId && (await organizationState(app, owner)) !== 'active') return false
  const person = await activePerson(app.store, state.receiverId)
  return person?.user.state.type === 'machine' && mayHear(app, await grantsOf(app, state.receiverId), owner)
}

/** Throws unless a token with these grants may use a stream that belongs there. */
export function requireHearing(app: App, grants: readonly Grant[], owner: string): void {
  if (!mayHear(app, grants, owner)) throw refused(signalStreamRefusals, 'signal_stream.receiver_not_allowed')
}

/**
 * Whom a new stream is about: all users where the token has the right on the instance, else those of the organization that
 * the machine user belongs to. Throws without the right, and for people.
 */
export async function ownerOfNewStream(
  app: App,
  reader: Reader,
  caller: { readonly userId: string; readonly organizationId: string; readonly grants: readonly Grant[] },
): Promise<string> {
  const person = await activePerson(reader, caller.userId)
  if (person?.user.state.type !== 'machine') throw refused(signalStreamRefusals, 'signal_stream.receiver_not_machine')
  const owner = signalsReach(caller.grants, caller.organizationId)
  if (owner === undefined) throw refused(signalStreamRefusals, 'signal_stream.receiver_not_allowed')
  return owner === 'instance' ? app.instanceId : caller.organizationId
}
