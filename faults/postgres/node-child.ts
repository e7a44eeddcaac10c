/**
 * A node in an operating system process: opens and reads accounts as it is told over the channel to its parent. Arguments: the
 * URL of PostgreSQL, and what it does without: `no-validation` of its cache, or `no-claims` of unique names.
 */
import { Refused } from '../../src/kernel/refusal.ts'
import { openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, openAccount } from '../../test/support/accounts.ts'

export type NodeRequest = { readonly number: number } & (
  | { readonly type: 'open'; readonly name: string }
  | { readonly type: 'read'; readonly id: string }
  /** What the document, the query and the claim say, as one request. */
  | { readonly type: 'look'; readonly id: string; readonly name: string }
)

/** `answer`: the id or code of the refusal for `open`, the name for `read`, `yes` when all of `look` agree. */
export interface NodeReply {
  readonly number: number
  readonly answer: string
}

const [, , url = '', without = ''] = process.argv
const engine = await openPostgres({ url, validatesCache: without !== 'no-validation' })
const store = await openStore(engine, [without === 'no-claims' ? { ...accounts, claims: () => [] } : accounts])

async function look(id: string, name: string): Promise<string> {
  const document = await store.get(accounts, id)
  const { documents } = await store.find(accounts, { where: { field: 'name', equals: name }, limit: 2 })
  const holder = await store.findClaimHolder('account.name', name)
  return document?.state.name === name && documents[0]?.id === id && holder === id ? 'yes' : 'no'
}

async function answer(request: NodeRequest): Promise<string> {
  try {
    if (request.type === 'look') return await store.asOneRequest(() => look(request.id, request.name))
    if (request.type === 'read') return (await store.get(accounts, request.id))?.state.name ?? 'nothing'
    return await openAccount(store, request.name)
  } catch (error) {
    return error instanceof Refused ? error.code : String(error)
  }
}

process.on('message', async (request: NodeRequest) => {
  process.send?.({ number: request.number, answer: await answer(request) } satisfies NodeReply)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ number: 0, answer: 'ready' } satisfies NodeReply)
