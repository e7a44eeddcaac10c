/**
 * Notices when a device asks too early whether it was approved (RFC 8628 §3.5). The process that answers a device
 * remembers when it asked; the document says which process that is. So a device that asks in time and at one process
 * causes one write in all. Another process takes over with a write, and sees from the document when the device asked last.
 */

import type { Instant } from '../../../kernel/instant.ts'
import { type App, perApp } from '../../../module/app.ts'
import type { Origin } from '../../../store/index.ts'
import { isTooEarly } from '../decider.ts'
import { deviceAuthorizations } from '../documents.ts'
import { findDevice } from './authorize-device.ts'

/** How many devices a process remembers; the oldest are dropped first, and cost one more write. */
const MAX_DEVICES = 10_000

/** The last questions of the devices that this process answers, and its name in the documents. */
const memoryOf = perApp((app) => ({ by: app.newId(), asked: new Map<string, Instant>() }))

function remember(asked: Map<string, Instant>, id: string, at: Instant): void {
  asked.delete(id)
  const oldest = asked.size >= MAX_DEVICES ? asked.keys().next().value : undefined
  if (oldest !== undefined) asked.delete(oldest)
  asked.set(id, at)
}

/** Counts a question of a device that waits; returns whether it must slow down. */
export async function pollDevice(app: App, origin: Origin, id: string): Promise<boolean> {
  const { by, asked } = memoryOf(app)
  const { at } = origin
  const device = await findDevice(app, id)
  if (device?.state.status !== 'pending') return false
  const seenAt = device.state.polled?.by === by ? asked.get(id) : undefined
  if (seenAt !== undefined && !isTooEarly(device.state, at, seenAt)) {
    remember(asked, id, at)
    return false
  }
  const { value: mustSlowDown } = await app.store.write(origin, async (work) => {
    const state = (await work.get(deviceAuthorizations, id))?.state
    if (state?.status !== 'pending') return false
    // Another process may have answered since.
    const own = state.polled?.by === by && seenAt !== undefined ? { seenAt } : {}
    await work.decide(deviceAuthorizations, id, { type: 'poll', at, by, ...own })
    return isTooEarly(state, at, own.seenAt)
  })
  remember(asked, id, at)
  return mustSlowDown
}
