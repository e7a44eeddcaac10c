/** The kinds that say by themselves how they are carried, by the names of their objects, and the order of all objects. */
import type { AnyCarried } from '../module/carried.ts'
import { declaredKinds } from '../modules.ts'
import type { AnyKind } from '../store/index.ts'
import { DRAFT_KINDS } from './import/draft.ts'

export interface Carrier {
  readonly kind: AnyKind
  readonly carried: AnyCarried
}

const carriers: readonly Carrier[] = declaredKinds.flatMap(({ kind, carried }) =>
  'as' in carried ? [{ kind, carried }] : [],
)

const byName: ReadonlyMap<string, Carrier> = new Map(carriers.map((carrier) => [carrier.carried.as, carrier]))

export function carrierOf(name: string): Carrier | undefined {
  return byName.get(name)
}

/** Each as soon as what must be there before is there; at the end those that wait for everything. */
function ordered(): readonly string[] {
  const order: string[] = []
  const waiting = new Set(carriers)
  const takeReady = () => {
    const ready = [...waiting].find(({ carried }) => carried.after.every((name) => order.includes(name)))
    if (ready === undefined) return
    order.push(ready.carried.as)
    waiting.delete(ready)
    takeReady()
  }
  takeReady()
  for (const name of [...DRAFT_KINDS, 'everything']) {
    order.push(name)
    takeReady()
  }
  for (const { carried } of waiting) throw new Error(`${carried.as} waits for ${carried.after}, which is nowhere`)
  return order.filter((name) => name !== 'everything')
}

/** The names of all objects, in the order in which they are written. */
export const OBJECT_ORDER: readonly string[] = ordered()
