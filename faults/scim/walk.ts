/** A walk through the users of an organization by SCIM, while others remove, create and rename users. */

/** A reply to a request to a path behind the organization. */
export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what a response has is checked where it is read
  readonly body: any
}

export type Send = (method: string, path: string, question?: { readonly body?: unknown }) => Promise<Reply>

export interface Walk {
  /** One for each node; pages are read from each in turn, and so are changes written. */
  readonly nodes: readonly [Send, ...Send[]]
  /** Who is there before the walk begins. */
  readonly ids: readonly string[]
  readonly pageSize: number
  /** How many users are removed, how many created, and how many renamed. */
  readonly changes: number
  /** `startIndex` is the control: it cannot keep the promise. */
  readonly by: 'cursor' | 'startIndex'
}

export interface Walked {
  /** Users who were there from the beginning to the end and were not met. */
  readonly lost: number
  readonly doubled: number
  /** Users who were met in a page that was asked for after their removal was acknowledged. */
  readonly gone: number
  readonly kept: number
  readonly pages: number
  readonly changed: number
  readonly longestPageMs: number
}

const WRITERS = 4
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

function expectStatus({ status, body }: Reply, expected: number): void {
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${JSON.stringify(body)}`)
}

/** What is written meanwhile. Every second user who is removed is the last one of the page before, which a cursor names. */
class Changes {
  /** Whose removal has begun. */
  readonly doomed = new Set<string>()
  /** Whose removal was acknowledged. */
  readonly removed = new Set<string>()
  #done = 0
  #due = 0
  readonly #walk: Walk
  readonly #victims: string[]
  readonly #renamed: string[]
  readonly #running = new Set<Promise<void>>()
  #last: string | undefined
  #failure: unknown

  constructor(walk: Walk) {
    this.#walk = walk
    const mixed = shuffled(walk.ids)
    this.#victims = mixed.slice(0, walk.changes)
    this.#renamed = mixed.slice(walk.changes, 2 * walk.changes)
  }

  get done(): number {
    return this.#done
  }

  /** Continues in the background until this share of the changes is done. */
  advance(share: number, last: string | undefined): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#last = last
    this.#due = Math.min(this.#walk.changes, Math.ceil(this.#walk.changes * share))
    while (this.#running.size < WRITERS && this.#done < this.#due) {
      const writer = this.#write().catch((error: unknown) => {
        this.#failure = error
      })
      this.#running.add(writer)
      writer.then(() => this.#running.delete(writer))
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.#running)
    if (this.#failure !== undefined) throw this.#failure
  }

  async #write(): Promise<void> {
    while (this.#done < this.#due) {
      const number = this.#done++
      const { nodes } = this.#walk
      const send = nodes[number % nodes.length] ?? nodes[0]
      await this.#remove(send, number)
      expectStatus(await send('POST', '/Users', { body: userNamed(`late-${number}`) }), 201)
      const renamed = this.#renamed[number]
      if (renamed !== undefined && !this.doomed.has(renamed)) await rename(send, renamed, `0-renamed-${number}`)
    }
  }

  async #remove(send: Send, number: number): Promise<void> {
    const isFree = this.#last !== undefined && !this.doomed.has(this.#last) && !this.#renamed.includes(this.#last)
    const id = number % 2 === 1 && isFree ? this.#last : this.#victims[number]
    if (id === undefined || this.doomed.has(id)) return
    this.doomed.add(id)
    expectStatus(await send('DELETE', `/Users/${id}`), 204)
    this.removed.add(id)
  }
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

export function userNamed(userName: string): object {
  const emails = [{ value: `${userName}@example.com`, primary: true }]
  return { schemas: [USER], userName, name: { givenName: 'Ada', familyName: userName }, emails }
}

async function rename(send: Send, id: string, value: string): Promise<void> {
  const body = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'userName', value }] }
  expectStatus(await send('PATCH', `/Users/${id}`, { body }), 200)
}

/** Walks from the first page to the last. */
export async function walkWhileChanging(walk: Walk): Promise<Walked> {
  const { nodes, ids, pageSize, by } = walk
  const changes = new Changes(walk)
  const met = new Map<string, number>()
  let gone = 0
  let longestPageMs = 0
  let pages = 0
  for (let next: string | undefined = by === 'cursor' ? '' : '1'; next !== undefined; pages++) {
    const removed = new Set(changes.removed)
    const send: Send = nodes[pages % nodes.length] ?? nodes[0]
    const began = performance.now()
    const reply: Reply = await send('GET', `/Users?count=${pageSize}&${by}=${next}`)
    longestPageMs = Math.max(longestPageMs, performance.now() - began)
    expectStatus(reply, 200)
    const found: readonly { readonly id: string }[] = reply.body.Resources
    for (const { id } of found) {
      met.set(id, (met.get(id) ?? 0) + 1)
      if (removed.has(id)) gone++
    }
    next = by === 'cursor' ? reply.body.nextCursor : found.length === 0 ? undefined : `${Number(next) + found.length}`
    changes.advance((met.size / ids.length) * 1.1, found.at(-1)?.id)
  }
  await changes.settle()
  const kept = ids.filter((id) => !changes.doomed.has(id))
  return {
    lost: kept.filter((id) => !met.has(id)).length,
    doubled: [...met.values()].filter((times) => times > 1).length,
    gone,
    kept: kept.length,
    pages,
    changed: changes.done,
    longestPageMs,
  }
}
