/**
 * The ids of one process. It leases a node number, gives out ids only for times before the end of its lease, and renews
 * the lease at half time. The next holder of the number starts after that end, so that neither a crash nor a clock that
 * is set back can repeat an id. It needs nothing but the store: the first start needs ids before there is an instance.
 */
import { randomUUID } from 'node:crypto'
import { type Ids, type NewId, NODE_NUMBERS, openIds } from '../../kernel/id.ts'
import { type Clock, type Instant, instant, systemClock } from '../../kernel/instant.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import type { Store } from '../../store/index.ts'
import type { NodeLeaseCommand } from './decider.ts'
import { nodeLeases } from './documents.ts'
import { nodeLeaseRefusals } from './refusals.ts'

/** Long enough for few events in the log; short enough that numbers of crashed processes are soon free again. */
const LEASE_MS = 3_600_000
/** A renewal that failed is tried again after this part of the lease. */
const RETRY_PART = 1 / 60

export interface NodeIdsOptions {
  readonly store: Store
  /** Told when a lease could not be renewed; it is tried again. */
  readonly onTrouble?: (error: unknown) => void
  readonly clock?: Clock
  readonly leaseMs?: number
}

export interface NodeIds {
  /** The next id; refused when the lease has ended and could not be renewed. */
  readonly newId: NewId
  /** The number that is leased now. */
  node(): number
  /** Makes the lease last as long as a new one; takes another number when this one was taken over. */
  renew(): Promise<void>
  /** Stops to renew and gives the number back. */
  close(): Promise<void>
}

interface Lease {
  readonly node: number
  readonly holder: string
  readonly ids: Ids
}

/** The lowest numbers first, so that few are ever used; those that look free are still contended for. */
async function freeNumbers(store: Store, at: Instant): Promise<readonly number[]> {
  const { documents } = await store.find(nodeLeases, { limit: NODE_NUMBERS })
  const held = new Set(
    documents.filter(({ state }) => state.holder !== '' && at < state.until).map(({ id }) => Number(id)),
  )
  return Array.from({ length: NODE_NUMBERS }, (_, node) => node).filter((node) => !held.has(node))
}

async function decide(store: Store, at: Instant, node: number, command: NodeLeaseCommand) {
  const { value } = await store.write({ actor: 'server', at }, (work) =>
    work.decide(nodeLeases, String(node), command, 'server'),
  )
  return value.state
}

function isRefused(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Refused && codes.includes(error.code)
}

async function takeNumber(store: Store, clock: Clock, lengthMs: number): Promise<Lease> {
  const holder = randomUUID()
  for (const node of await freeNumbers(store, clock())) {
    const at = clock()
    try {
      const { from, until } = await decide(store, at, node, { type: 'take', holder, at, lengthMs })
      return { node, holder, ids: openIds({ node, from, until, clock }) }
    } catch (error) {
      // Another process was faster.
      if (!isRefused(error, 'node_lease.held', 'store.conflict')) throw error
    }
  }
  throw refused(nodeLeaseRefusals, 'node_lease.none_free')
}

/** Leases a node number and gives out its ids until it is closed. */
export async function openNodeIds(options: NodeIdsOptions): Promise<NodeIds> {
  const { store, onTrouble = () => {}, clock = systemClock, leaseMs = LEASE_MS } = options
  let lease = await takeNumber(store, clock, leaseMs)
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let renewing: Promise<void> | undefined

  const renewOnce = async (): Promise<void> => {
    const { node, holder, ids } = lease
    // Later than the clock where it was set back: the ids have gone on.
    const at = instant(Math.max(clock(), ids.unused()))
    const until = instant(at + leaseMs)
    try {
      await decide(store, at, node, { type: 'renew', holder, until })
      ids.extend(until)
    } catch (error) {
      if (!isRefused(error, 'node_lease.lost')) throw error
      lease = await takeNumber(store, clock, leaseMs)
    }
  }
  const renew = async (): Promise<void> => {
    if (isClosed) return
    renewing ??= renewOnce().finally(() => {
      renewing = undefined
    })
    await renewing
  }
  const renewLater = (milliseconds: number): void => {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(renewNow, milliseconds)
    timer.unref()
  }
  const renewNow = (): void => {
    renew().then(
      () => renewLater(leaseMs / 2),
      (error) => {
        onTrouble(error)
        renewLater(leaseMs * RETRY_PART)
      },
    )
  }
  renewLater(leaseMs / 2)

  return {
    newId() {
      const id = isClosed ? undefined : lease.ids.next()
      if (id !== undefined) return id
      // The process slept, or the store was away for long: no reason to wait for the timer.
      if (!isClosed && renewing === undefined) renewNow()
      throw refused(nodeLeaseRefusals, 'node_lease.expired', { retryAfterSeconds: 1 })
    },
    node: () => lease.node,
    renew,
    async close() {
      if (isClosed) return
      isClosed = true
      clearTimeout(timer)
      await renewing?.catch(() => {})
      const { node, holder, ids } = lease
      try {
        await decide(store, clock(), node, { type: 'release', holder, unused: ids.unused() })
      } catch (error) {
        // Without the release, the number is free when the lease ends.
        onTrouble(error)
      }
    },
  }
}
