/**
 * A queue that is fair to callers: organizations take turns, and the callers of an organization take turns within it.
 * A caller with many requests waiting delays another one by one request for each of its own.
 */

/** Whose share of the server a request counts for. */
export interface Share {
  /** The organization; the network address of a caller that is not known yet. */
  readonly group: string
  readonly caller: string
}

interface Flow<Item> {
  readonly caller: string
  readonly items: Item[]
}

/** Arrays and no maps: a map that is filled and emptied all the time keeps its old entries alive (decision 0023). */
interface Group<Item> {
  readonly name: string
  /** Whose turn is next comes first. */
  readonly flows: Flow<Item>[]
  length: number
}

export class FairQueue<Item> {
  readonly #groups: Group<Item>[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  add(share: Share, item: Item): void {
    let group = this.#groupOf(share)
    if (group === undefined) {
      group = { name: share.group, flows: [], length: 0 }
      this.#groups.push(group)
    }
    const flow = flowOf(group, share)
    if (flow === undefined) group.flows.push({ caller: share.caller, items: [item] })
    else flow.items.push(item)
    group.length++
    this.#length++
  }

  /** Takes the item whose turn it is. Its caller is then behind all others of its group, and the group behind all others. */
  next(): Item | undefined {
    const group = this.#groups.shift()
    const flow = group?.flows.shift()
    if (group === undefined || flow === undefined) return undefined
    const item = flow.items.shift()
    if (flow.items.length > 0) group.flows.push(flow)
    group.length--
    this.#length--
    if (group.length > 0) this.#groups.push(group)
    return item
  }

  /** How many items would be taken before a new one of this share. */
  ahead(share: Share): number {
    const own = this.#groupOf(share)
    const place = own === undefined ? 0 : placeIn(own, share)
    let count = place
    for (const group of this.#groups) if (group !== own) count += Math.min(group.length, place + 1)
    return count
  }

  /** The most that one group has waiting. */
  get largest(): number {
    return Math.max(0, ...this.#groups.map(({ length }) => length))
  }

  /** Takes back the newest item of the caller who has the most waiting, unless this share has about as many. */
  takeBackFor(share: Share): Item | undefined {
    const group = largestOf(this.#groups, ({ length }) => length)
    const own = this.#groupOf(share)
    const flow = group && largestOf(group.flows, ({ items }) => items.length)
    if (group === undefined || flow === undefined) return undefined
    const [most, others] =
      group === own ? [flow.items.length, flowOf(own, share)?.items.length ?? 0] : [group.length, own?.length ?? 0]
    if (most <= others + 1) return undefined
    const item = flow.items.pop()
    if (flow.items.length === 0) group.flows.splice(group.flows.indexOf(flow), 1)
    group.length--
    this.#length--
    if (group.length === 0) this.#groups.splice(this.#groups.indexOf(group), 1)
    return item
  }

  #groupOf({ group: name }: Share): Group<Item> | undefined {
    return this.#groups.find((group) => group.name === name)
  }
}

function largestOf<One>(all: readonly One[], sizeOf: (one: One) => number): One | undefined {
  let largest: One | undefined
  for (const one of all) if (largest === undefined || sizeOf(one) > sizeOf(largest)) largest = one
  return largest
}

function flowOf<Item>({ flows }: Group<Item>, { caller }: Share): Flow<Item> | undefined {
  return flows.find((flow) => flow.caller === caller)
}

/** How many items of its own group would be taken before a new one. */
function placeIn<Item>(group: Group<Item>, share: Share): number {
  const own = flowOf(group, share)
  const waiting = own?.items.length ?? 0
  let count = waiting
  for (const flow of group.flows) if (flow !== own) count += Math.min(flow.items.length, waiting + 1)
  return count
}
