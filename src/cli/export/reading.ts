/** The documents of one moment, as the functions that describe them read them. */

import type { KeyRing } from '../../crypto/key-ring.ts'
import { openReadOnlyVault } from '../../features/instances/index.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import type { Opened, OpenedDocument } from '../../module/carried.ts'
import { kinds } from '../../modules.ts'
import type { AnyKind, Dates, Kind } from '../../store/index.ts'
import { Ahead, currentDocuments, isBefore, type Snapshot } from '../../store/transfer/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: only the state of a kind is asked for
export type StateOf<K> = K extends Kind<any, infer State, any, any, any> ? State : never

export interface Row<State> extends Dates {
  readonly id: string
  readonly owner: string
  readonly state: State
}

/** What every function gets that describes objects of an instance. */
export interface Reading {
  readonly instanceId: string
  /** The documents of a kind, by ID, without removed ones. */
  rows<K extends AnyKind>(kind: K): AsyncGenerator<Row<StateOf<K>>>
  /** A sealed value of a document in the clear. */
  unseal<K extends AnyKind>(kind: K, row: Row<StateOf<K>>, member: string): string | undefined
  /** The organization that owns something; empty for the instance. */
  organizationOf(owner: string): string
}

/** Documents that have the IDs of others. */
interface Beside<State> {
  at(id: string): Promise<Row<State> | undefined>
}

/** The dates of a document, and where they stand in a draft. */
export function datesOf({ createdAt, changedAt }: Dates): Dates {
  return { createdAt, changedAt }
}

async function* rowsOf<K extends AnyKind>(snapshot: Snapshot, kind: K): AsyncGenerator<Row<StateOf<K>>> {
  for await (const { id, owner, state, gone, createdAt, changedAt } of currentDocuments(snapshot, kind)) {
    if (gone) continue
    const dates: { createdAt: Instant; changedAt: Instant } = {
      createdAt: instant(createdAt),
      changedAt: instant(changedAt),
    }
    yield { id, owner, ...dates, state: JSON.parse(state) as StateOf<K> }
  }
}

function besideOf<State>(rows: AsyncIterable<Row<State>>): Beside<State> {
  const ahead = new Ahead(rows)
  let isBegun = false
  return {
    async at(id) {
      if (!isBegun) await ahead.next()
      isBegun = true
      while (ahead.current !== undefined && isBefore(ahead.current.id, id)) await ahead.next()
      return ahead.current?.id === id ? ahead.current : undefined
    },
  }
}

/** The documents of a kind whose IDs begin with others that grow. */
function partsOf<State>(rows: AsyncIterable<Row<State>>) {
  const ahead = new Ahead(rows)
  const wholeOf = ({ id }: Row<State>) => id.slice(0, id.indexOf(' '))
  let isBegun = false
  return async (id: string): Promise<readonly Row<State>[]> => {
    if (!isBegun) await ahead.next()
    isBegun = true
    const found: Row<State>[] = []
    for (; ahead.current !== undefined; await ahead.next()) {
      const whole = wholeOf(ahead.current)
      if (whole === id) found.push(ahead.current)
      else if (!isBefore(whole, id)) break
    }
    return found
  }
}

/** Opens the documents of a kind, in the order of their IDs, and what is stored beside them. */
export function opener(reading: Reading): (kind: AnyKind, row: Row<unknown>) => Opened {
  const besides = new Map<AnyKind, Beside<unknown>>()
  const parts = new Map<AnyKind, (id: string) => Promise<readonly Row<unknown>[]>>()
  type Values = ReadonlyMap<string, never>
  const values = new Map<(state: never) => unknown, Promise<Values>>()
  const readAll = async (kind: AnyKind, read: (state: never) => unknown) => {
    const found = new Map<string, unknown>()
    for await (const { id, state } of reading.rows(kind)) {
      const value = read(state as never)
      if (value !== undefined) found.set(id, value)
    }
    return found as ReadonlyMap<string, unknown> as Values
  }
  const opened = (kind: AnyKind, row: Row<unknown>): OpenedDocument<unknown> => ({
    ...row,
    unseal: (member) => reading.unseal(kind, row as never, member),
  })
  return (kind, row) => ({
    ...opened(kind, row),
    async beside(other) {
      const rows = besides.get(other) ?? besideOf(reading.rows(other))
      besides.set(other, rows)
      const found = await rows.at(row.id)
      return found && (opened(other, found) as OpenedDocument<never>)
    },
    async parts(other) {
      const rows = parts.get(other) ?? partsOf(reading.rows(other))
      parts.set(other, rows)
      return (await rows(row.id)).map((part) => opened(other, part) as OpenedDocument<never>)
    },
    all(other, read) {
      const found = values.get(read) ?? readAll(other, read)
      values.set(read, found)
      return found
    },
  })
}

/** Opens the documents of a snapshot. The master keys must be those of the database. */
export async function openReading(snapshot: Snapshot, instanceId: string, master: KeyRing): Promise<Reading> {
  const find = async (name: string, id: string) => {
    const kind = kinds.find((one) => one.name === name)
    if (kind === undefined) return undefined
    for await (const document of currentDocuments(snapshot, kind)) if (document.id === id) return document
    return undefined
  }
  const open = await openReadOnlyVault(master, find)
  return {
    instanceId,
    rows: (kind) => rowsOf(snapshot, kind),
    unseal(kind, { id, state }, member) {
      const sealed = kind.sealed?.(state).find((value) => value.member === member)
      return sealed === undefined ? undefined : open({ kind: kind.name, id, member }, sealed.text)
    },
    organizationOf: (owner) => (owner === instanceId ? '' : owner),
  }
}
