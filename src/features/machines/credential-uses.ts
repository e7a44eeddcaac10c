/**
 * When personal access tokens and keys of machines were last used. Each process remembers it, to the hour; it is stored some
 * minutes later, at most once a day for each of them, so that no request waits for it and the log grows by one event a day.
 */

import { accept, type Decider } from '../../kernel/decider.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { type App, perApp } from '../../module/app.ts'
import { kind, type Work } from '../../store/index.ts'
import { type KeyUseEvent, keyUseEvents, type TokenUseEvent, tokenUseEvents } from './events.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** How long uses are collected before they are stored. */
const COLLECT_MS = 600_000
const MOST_REMEMBERED = 10_000
const MOST_IN_ONE_COMMIT = 100

type CredentialUse = { readonly status: 'unused' } | { readonly status: 'used'; readonly usedAt: Instant }

function useOf<Event extends TokenUseEvent | KeyUseEvent>(
  eventAt: (usedAt: Instant) => Event,
): Decider<{ readonly usedAt: Instant }, CredentialUse, Event, never> {
  return {
    initial: { status: 'unused' },
    evolve: (_, { data: { usedAt } }) => ({ status: 'used', usedAt }),
    decide({ usedAt }, state) {
      const isKnown = state.status === 'used' && usedAt - state.usedAt < DAY_MS
      return isKnown ? accept() : accept(eventAt(usedAt))
    },
  }
}

/** The ID of a use is the ID of the token. */
export const tokenUses = kind({
  name: 'personal-access-token-use',
  ids: { of: 'personal-access-token' },
  waits: false,
  path: false,
  version: 1,
  events: tokenUseEvents,
  decider: useOf((usedAt): TokenUseEvent => ({ type: 'personal_access_token.used.v1', data: { usedAt } })),
  refusals: {},
  fields: {},
})

/** The ID of a use is the ID of the key. */
export const keyUses = kind({
  name: 'machine-key-use',
  ids: { of: 'machine-key' },
  waits: false,
  path: false,
  version: 1,
  events: keyUseEvents,
  decider: useOf((usedAt): KeyUseEvent => ({ type: 'machine_key.used.v1', data: { usedAt } })),
  refusals: {},
  fields: {},
})

/** A token or a key that was shown. */
export interface ShownCredential {
  readonly type: 'token' | 'key'
  readonly id: string
  /** The organization of its user. */
  readonly organizationId: string
}

interface Use extends ShownCredential {
  readonly at: Instant
  isStored: boolean
}

interface Remembered {
  readonly uses: Map<string, Use>
  timer: NodeJS.Timeout | undefined
}

const rememberedBy = perApp((): Remembered => ({ uses: new Map(), timer: undefined }))

function placeOf({ type, id }: Pick<ShownCredential, 'type' | 'id'>): string {
  return `${type} ${id}`
}

/** Notes that a token or a key was used. Costs a look into a map. */
export function noteCredentialUse(app: App, shown: ShownCredential, at: Instant): void {
  const remembered = rememberedBy(app)
  const { uses } = remembered
  const place = placeOf(shown)
  const known = uses.get(place)
  if (known !== undefined && at - known.at < HOUR_MS) return
  const [oldest] = uses.keys()
  if (known === undefined && uses.size >= MOST_REMEMBERED && oldest !== undefined) uses.delete(oldest)
  uses.set(place, { ...shown, at, isStored: false })
  // A process that ends before has nothing to lose but an hour that nobody saw.
  remembered.timer ??= setTimeout(() => {
    remembered.timer = undefined
    storeCredentialUses(app).catch((error: unknown) =>
      app.log.warn({ err: error }, 'the use of tokens and keys was not stored'),
    )
  }, COLLECT_MS).unref()
}

function store(work: Work, { type, id, organizationId, at: usedAt }: Use) {
  return type === 'token'
    ? work.decide(tokenUses, id, { usedAt }, organizationId)
    : work.decide(keyUses, id, { usedAt }, organizationId)
}

/** Stores what was noted. */
export async function storeCredentialUses(app: App): Promise<void> {
  const waiting = [...rememberedBy(app).uses.values()].filter(({ isStored }) => !isStored)
  for (let first = 0; first < waiting.length; first += MOST_IN_ONE_COMMIT) {
    const some = waiting.slice(first, first + MOST_IN_ONE_COMMIT)
    await app.store.write({ actor: 'server', at: app.clock() }, async (work) => {
      for (const use of some) await store(work, use)
    })
    for (const use of some) use.isStored = true
  }
}

/** When one was last used: as this process knows, or as was stored; undefined when it was not, since that is noted. */
export async function lastUseOf(
  app: App,
  credential: Pick<ShownCredential, 'type' | 'id'>,
): Promise<Instant | undefined> {
  const { type, id } = credential
  const stored = await (type === 'token' ? app.store.get(tokenUses, id) : app.store.get(keyUses, id))
  const times = [
    rememberedBy(app).uses.get(placeOf(credential))?.at,
    stored?.state.status === 'used' ? stored.state.usedAt : undefined,
  ]
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : instant(Math.max(...known))
}
