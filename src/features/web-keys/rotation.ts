/** When a key is created, activated or removed by rotation. Pure. */

import type { Instant } from '../../kernel/instant.ts'
import { isSameType, type WebKeyType } from '../../kernel/web-key-type.ts'
import { activeKey, type WebKey, type WebKeys } from './decider.ts'

/** How long a key is published before it signs. Clients and proxies may keep the published keys for 5 minutes. */
export const PUBLISHED_FIRST_MS = 600_000

/** For clocks that differ and for tokens with a fixed lifetime, such as those of a logout. */
const MARGIN_MS = 3_600_000

export interface RotationTimes {
  readonly at: Instant
  /** How long a key signs; 0: until it is asked for. */
  readonly rotationMs: number
  /** The longest lifetime of the tokens that retired keys may have signed. */
  readonly longestLifetimeMs: number
}

export type RotationStep =
  | { readonly type: 'add'; readonly keyType: WebKeyType }
  | { readonly type: 'activate'; readonly keyId: string }
  | { readonly type: 'remove'; readonly keyId: string }

/** The keys that rotation has replaced. */
export function retiredKeys({ keys }: WebKeys): readonly WebKey[] {
  return keys.filter(({ status, isRetired }) => status === 'inactive' && isRetired)
}

/** What rotation does next; undefined: nothing for now. */
export function nextStep(state: WebKeys, times: RotationTimes): RotationStep | undefined {
  const { at, rotationMs, longestLifetimeMs } = times
  const unused = retiredKeys(state).find(({ changedAt }) => at - changedAt >= longestLifetimeMs + MARGIN_MS)
  if (unused !== undefined) return { type: 'remove', keyId: unused.keyId }
  const active = activeKey(state)
  if (active?.activatedAt === undefined) return undefined
  const isTime = rotationMs > 0 && at - active.activatedAt >= rotationMs
  if (!isTime && !state.isRotationRequested) return undefined
  // A key of another type waits for an administrator: clients may not support it.
  const next = state.keys.find(({ status, keyType }) => status === 'initial' && isSameType(keyType, active.keyType))
  if (next === undefined) return { type: 'add', keyType: active.keyType }
  return at - next.addedAt >= PUBLISHED_FIRST_MS ? { type: 'activate', keyId: next.keyId } : undefined
}
