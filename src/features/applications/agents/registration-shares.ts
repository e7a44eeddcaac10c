/**
 * How many clients registered in an hour: each organization has a share, and those who register without a token have one
 * together. It is counted in the commit that registers, so no more get through at once than one after the other. Within the share
 * of those without a token, each place in the network has its own, which is counted in memory: addresses are not stored.
 */
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { type Owners, openAttempts } from '../../../kernel/share.ts'
import { type App, perApp } from '../../../module/app.ts'
import { kind, type Retention, type Work } from '../../../store/index.ts'
import { type RegistrationShareEvent, registrationShareEvents } from '../events.ts'
import { type ApplicationRefusal, applicationRefusals } from '../refusals.ts'
import { registeredClientRetirements } from './registered-clients.ts'

const HOUR_MS = 3_600_000

interface Counted {
  readonly count: number
  readonly endsAt?: Instant
}

interface CountOne {
  readonly most: number
  readonly endsAt: Instant
}

const share: Decider<CountOne, Counted, RegistrationShareEvent, ApplicationRefusal> = {
  initial: { count: 0 },
  evolve: ({ count }, { data }) => ({ count: count + 1, endsAt: data.endsAt }),
  decide: ({ most, endsAt }, { count }) =>
    count < most
      ? accept({ type: 'registration.counted.v1', data: { endsAt } })
      : refuse('application.too_many_registrations'),
}

/** The ID names the owner and the hour. */
export const registrationShares = kind({
  name: 'registration-share',
  ids: { joined: ['owner', 'hour'] },
  waits: false,
  path: false,
  version: 1,
  events: registrationShareEvents,
  decider: share,
  refusals: applicationRefusals,
  fields: { endsAt: { path: ['endsAt'], type: 'number' } },
  removable: true,
})

export const registrationShareRetention: Retention<Counted> = {
  kind: registrationShares,
  records: registeredClientRetirements,
  retentionMs: HOUR_MS,
  batchSize: 200,
  findEnded: (store, endedBy, limit) => store.findIds(registrationShares, { field: 'endsAt', atMost: endedBy }, limit),
  hasEnded: ({ state }, endedBy) => state.endsAt !== undefined && state.endsAt <= endedBy,
}

/** No instance allows more in an hour. */
const MOST_OF_ALL = 10_000

const placesOf = perApp(({ clock: now }) => openAttempts({ now, limit: MOST_OF_ALL, windowMs: HOUR_MS }))

/** One registration from a place in the network. */
export interface CountedPlace {
  /**
   * How many all may be together for this one, when all places may have `most`: a place gets one more while more are left than it
   * has had in this hour. Alone it gets half, also when many come at once and are counted in another order.
   */
  within(most: number): number
  /** Nothing was registered. */
  giveBack(): void
}

/** Counts one that comes without a token from this place in the network. */
export function countPlace(app: App, source: string): CountedPlace {
  const owners: Owners = [`${Math.floor(app.clock() / HOUR_MS)}`, source]
  const places = placesOf(app)
  const before = places.count(...owners)
  const isCounted = places.take(...owners)
  return {
    within: (most) => (before < most / 2 ? most - before : 0),
    giveBack() {
      if (isCounted) places.giveBack(...owners)
    },
  }
}

/** Counts one registration of an owner in the current hour; throws when there were as many as there may be. */
export async function countRegistration(work: Work, owner: string, most: number): Promise<void> {
  const hour = Math.floor(work.origin.at / HOUR_MS)
  const endsAt = instant((hour + 1) * HOUR_MS)
  await work.decide(registrationShares, `${owner}/${hour}`, { most, endsAt }, owner)
}
