/**
 * When personal access tokens were last used. Each process remembers it, to the hour; it is stored some minutes later, at
 * most once a day for each token, so that no request waits for it and the log grows by one event a day.
 */

import { accept, type Decider } from '../../kernel/decider.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { type App, perApp } from '../../module/app.ts'
import { kind } from '../../store/index.ts'
import { type TokenUseEvent, tokenUseEvents } from './events.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** How long uses are collected before they are stored. */
const COLLECT_MS = 600_000
const MOST_REMEMBERED = 10_000
const MOST_IN_ONE_COMMIT = 100

type TokenUse = { readonly status: 'unused' } | { readonly status: 'used'; readonly usedAt: Instant }

const tokenUse: Decider<{ readonly usedAt: Instant }, TokenUse, TokenUseEvent, never> = {
  initial: { status: 'unused' },
  evolve: (_, { data: { usedAt } }) => ({ status: 'used', usedAt }),
  decide({ usedAt }, state) {
    const isKnown = state.status === 'used' && usedAt - state.usedAt < DAY_MS
    return isKnown ? accept() : accept({ type: 'personal_access_token.used.v1', data: { usedAt } })
  },
}

/** The ID of a use is the ID of the token. */
export const tokenUses = kind({
  name: 'personal-access-token-use',
  version: 1,
  events: tokenUseEvents,
  decider: tokenUse,
  refusals: {},
  fields: {},
})

/** A token that was shown, and its user. */
export interface ShownToken {
  readonly tokenId: string
  readonly userId: string
  readonly organizationId: string
}

interface Use extends ShownToken {
  readonly at: Instant
  isStored: boolean
}

interface Remembered {
  readonly uses: Map<string, Use>
  timer: NodeJS.Timeout | undefined
}

const rememberedBy = perApp((): Remembered => ({ uses: new Map(), timer: undefined }))

/** Notes that a token was used. Costs a look into a map. */
export function noteTokenUse(app: App, token: ShownToken, at: Instant): void {
  const remembered = rememberedBy(app)
  const { uses } = remembered
  const known = uses.get(token.tokenId)
  if (known !== undefined && at - known.at < HOUR_MS) return
  const [oldest] = uses.keys()
  if (known === undefined && uses.size >= MOST_REMEMBERED && oldest !== undefined) uses.delete(oldest)
  uses.set(token.tokenId, { ...token, at, isStored: false })
  // A process that ends before has nothing to lose but an hour that nobody saw.
  remembered.timer ??= setTimeout(() => {
    remembered.timer = undefined
    storeTokenUses(app).catch((error: unknown) => app.log.warn({ err: error }, 'the use of tokens was not stored'))
  }, COLLECT_MS).unref()
}

/** Stores what was noted. */
export async function storeTokenUses(app: App): Promise<void> {
  const waiting = [...rememberedBy(app).uses.values()].filter(({ isStored }) => !isStored)
  for (let first = 0; first < waiting.length; first += MOST_IN_ONE_COMMIT) {
    const some = waiting.slice(first, first + MOST_IN_ONE_COMMIT)
    await app.store.write({ actor: 'system', at: app.clock() }, async (work) => {
      for (const { tokenId, organizationId, at } of some) {
        await work.decide(tokenUses, tokenId, { usedAt: at }, organizationId)
      }
    })
    for (const use of some) use.isStored = true
  }
}

/** When a token was last used: as this process knows, or as was stored; undefined when it was not, since that is noted. */
export async function lastUseOf(app: App, tokenId: string): Promise<Instant | undefined> {
  const stored = await app.store.get(tokenUses, tokenId)
  const times = [
    rememberedBy(app).uses.get(tokenId)?.at,
    stored?.state.status === 'used' ? stored.state.usedAt : undefined,
  ]
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : instant(Math.max(...known))
}
