/** A source that is in use: users are added, changed, locked and removed in it, one after the other. */
import type { PeerDatabase } from '../../test/import/zitadel/peer-database.ts'
import type { Template } from './template.ts'

const MOST_USERS = 2_000

export class BusySource {
  readonly #database: PeerDatabase
  readonly #instanceId: string
  readonly #organizationId: string
  readonly #users: string[]
  readonly #locked = new Set<string>()
  #events = 0

  constructor(database: PeerDatabase, { rows }: Template) {
    this.#database = database
    const beginOf = (type: string) => rows.find(({ event_type }) => event_type === type)
    this.#instanceId = beginOf('instance.added')?.instance_id ?? ''
    this.#organizationId = beginOf('org.added')?.aggregate_id ?? ''
    const removed = new Set(
      rows.filter(({ event_type }) => event_type === 'user.removed').map((row) => row.aggregate_id),
    )
    const humans = rows.filter(({ event_type }) => event_type === 'user.human.added')
    // Their organizations may be removed or inactive.
    const own = humans.filter(({ owner }) => owner === this.#organizationId)
    this.#users = own.map(({ aggregate_id }) => aggregate_id).filter((id) => !removed.has(id))
  }

  get instanceId(): string {
    return this.#instanceId
  }

  get events(): number {
    return this.#events
  }

  /** Appends an event as the source does: with the time of its database as the position. */
  async #append(id: string, type: string, payload: object | null): Promise<void> {
    this.#events++
    await this.#database.run(
      `insert into eventstore.events2 select $1, 'user', $2, $3,
        coalesce((select max(sequence) from eventstore.events2
          where instance_id = $1 and aggregate_type = 'user' and aggregate_id = $2), 0) + 1,
        1, clock_timestamp(), $4::jsonb, 'faults', $5, extract(epoch from clock_timestamp()), 1`,
      [this.#instanceId, id, type, payload === null ? null : JSON.stringify(payload), this.#organizationId],
    )
  }

  async #add(): Promise<void> {
    const id = String(900_000_000_000_000_000n + BigInt(this.#events))
    const names = { firstName: 'New', lastName: 'Person', displayName: 'New Person' }
    await this.#append(id, 'user.human.added', { userName: `new-${id}`, email: `${id}@new.example`, ...names })
    this.#users.push(id)
  }

  /** Something happens. */
  async step(): Promise<void> {
    const index = Math.floor(Math.random() * this.#users.length)
    const id = this.#users[index]
    const dice = Math.random()
    if (id === undefined || (dice < 0.25 && this.#users.length < MOST_USERS)) return this.#add()
    if (dice < 0.35) {
      this.#users.splice(index, 1)
      return this.#append(id, 'user.removed', null)
    }
    if (dice < 0.55) {
      const isLocked = this.#locked.delete(id)
      if (!isLocked) this.#locked.add(id)
      return this.#append(id, isLocked ? 'user.unlocked' : 'user.locked', null)
    }
    if (dice < 0.75) {
      const value = Buffer.from(String(this.#events)).toString('base64')
      return this.#append(id, 'user.metadata.set', { key: `key-${Math.floor(Math.random() * 3)}`, value })
    }
    const nickName = `nick-${this.#events}`
    return this.#append(id, 'user.human.profile.changed', { nickName })
  }

  /** Continues until the signal. */
  async run(signal: AbortSignal, pause: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await this.step()
      await pause()
    }
  }
}
