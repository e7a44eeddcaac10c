/** What the makers of drafts share. */
import type { AnyDraft, Remark, Removal } from '../draft.ts'
import type { Folded, Folding } from './fold.ts'
import { fold } from './fold.ts'
import type { KeyRing } from './keys.ts'
import type { PeerLog } from './log.ts'
import type { World } from './world.ts'

export type Item = AnyDraft | { readonly remark: Remark } | { readonly removed: Removal }

/** One read of the log. */
export interface Reading {
  readonly log: PeerLog
  readonly world: World
  readonly keys: KeyRing
  /** The aggregates of a type that are wanted; undefined: all. */
  readonly changed?: ReadonlyMap<string, readonly string[]>
}

/** The aggregates that are wanted, at the end of the log. */
export function folded<State>({ log, changed }: Reading, folding: Folding<State>): AsyncIterable<Folded<State>> {
  return fold(log, folding, changed && (changed.get(folding.aggregateType) ?? []))
}

export function remark(kind: string, id: string, reason: string): Item {
  return { remark: { kind, id, reason } }
}

export function removed(removal: Removal): Item {
  return { removed: removal }
}
