/**
 * The smallest kind with a unique name, for fault tests; a kind that records removed accounts; and the history of the
 * responses that a client got.
 */
import assert from 'node:assert/strict'
import type { Decider } from '../../src/kernel/decider.ts'
import { accept } from '../../src/kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../src/kernel/event.ts'
import { newId } from '../../src/kernel/id.ts'
import { instant } from '../../src/kernel/instant.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { kind, type Removal, recordRemoved, type Store, type StoredEvent } from '../../src/store/index.ts'

const accountEvents = declareEvents({ 'account.opened.v1': data<{ readonly name: string }>() })

type Opened = EventOf<typeof accountEvents>

const account: Decider<{ readonly name: string }, { readonly name: string }, Opened, 'account.name_taken'> = {
  initial: { name: '' },
  evolve: (_, { data }) => ({ name: data.name }),
  decide: ({ name }) => accept({ type: 'account.opened.v1', data: { name } }),
}

/** Accounts with unique names. */
export const accounts = kind({
  name: 'account',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: accountEvents,
  decider: account,
  refusals: { 'account.name_taken': ['conflict', 'Another account has this name.'] },
  fields: { name: { path: ['name'], type: 'text' } },
  claims: ({ name }) =>
    name === ''
      ? []
      : [{ kind: 'account.name', within: { instance: 'a test' }, value: name, taken: 'account.name_taken' }],
  removable: true,
})

const ledgerEvents = declareEvents({ 'ledger.accounts_removed.v1': data<Removal>() })

type AccountsRemoved = EventOf<typeof ledgerEvents>

const ledger: Decider<Removal, { readonly accounts: number }, AccountsRemoved, never> = {
  initial: { accounts: 0 },
  evolve: ({ accounts }, { data }) => ({ accounts: accounts + data.streams }),
  decide: (record) => accept({ type: 'ledger.accounts_removed.v1', data: record }),
}

/** Records which accounts were removed from the log. */
export const ledgers = kind({
  name: 'ledger',
  ids: { of: 'word' },
  waits: false,
  path: false,
  version: 1,
  events: ledgerEvents,
  decider: ledger,
  refusals: {},
  fields: {},
})

/** Opens an account and returns its ID. */
export async function openAccount(store: Store, name: string): Promise<string> {
  const id = newId()
  await store.write({ actor: { user: 'tester' }, at: instant(1) }, (work) => work.decide(accounts, id, { name }, 'org'))
  return id
}

/** Removes accounts from the log and records it in the ledger. */
export async function removeAccounts(store: Store, ids: readonly string[]): Promise<void> {
  await store.write({ actor: { user: 'tester' }, at: instant(2) }, async (work) => {
    const removed = await Promise.all(ids.map((id) => work.removeStream(accounts, id)))
    await work.decide(ledgers, 'accounts', recordRemoved(removed), 'org')
  })
}

/** The responses that a client got, by the unique name it sent. */
export interface History {
  readonly acknowledged: Set<string>
  /** The response was "unavailable": it may or may not have been written. */
  readonly unknown: Set<string>
}

export function newHistory(): History {
  return { acknowledged: new Set(), unknown: new Set() }
}

/**
 * Opens accounts one after the other until it is stopped, and records every response. With
 * `acknowledgesEarly`, it records them before: the control of tests.
 */
export async function keepWriting(
  store: Store,
  history: History,
  isOver: () => boolean,
  { acknowledgesEarly = false } = {},
): Promise<void> {
  while (!isOver()) {
    const name = newId()
    try {
      if (acknowledgesEarly) history.acknowledged.add(name)
      await openAccount(store, name)
      history.acknowledged.add(name)
    } catch (error) {
      assert.ok(error instanceof Refused && error.code === 'store.unavailable', `unexpected answer: ${error}`)
      history.unknown.add(name)
    }
  }
}

/** Reads the whole log as a client would, page by page. */
async function readLog(store: Store) {
  const log = []
  for (let from = 0; ; ) {
    const page = await store.events({ from, limit: 1_000 })
    log.push(...page)
    const last = page.at(-1)
    if (!last) return log
    from = last.sequence
  }
}

/** Reads the log: its sequences are 1, 2, 3 … without a gap, except for those that are recorded as removed. */
export async function checkSequences(store: Store): Promise<readonly StoredEvent[]> {
  const log = await readLog(store)
  const left = log
    .filter(({ type }) => type === 'ledger.accounts_removed.v1')
    .flatMap(({ data }) => (data as Removal).ranges)
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
  const numbers = [...log.map(({ sequence }) => sequence), ...left].sort((one, other) => one - other)
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
    'every number is in the log or in the ledger, and none in both',
  )
  return log
}

/**
 * Compares the log with the history by content, not by number, because a lossy failover gives the same numbers to other
 * events. Returns how many acknowledged writes are missing; everything else must match.
 */
export async function countLost(store: Store, history: History): Promise<number> {
  const log = await checkSequences(store)
  const opened = log.filter(({ kind }) => kind === accounts.name)
  const names = opened.map(({ data }) => (data as { name: string }).name)
  assert.equal(new Set(names).size, names.length, 'nothing is there twice')
  for (const name of names) assert.ok(history.acknowledged.has(name) || history.unknown.has(name), 'nobody wrote this')
  const { total } = await store.find(accounts, { limit: 0 })
  assert.equal(total, opened.length, 'every event has its document')
  const present = new Set(names)
  return [...history.acknowledged].filter((name) => !present.has(name)).length
}
