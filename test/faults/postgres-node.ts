/**
 * A node of its own: an operating system process with the store open on the PostgreSQL of its first argument. It opens
 * and reads accounts as it is told over the channel to its parent.
 */
import { Refused } from '../../src/kernel/refusal.ts'
import { openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, openAccount } from '../support/accounts.ts'

export type NodeRequest = { readonly number: number } & (
  | { readonly type: 'open'; readonly name: string }
  | { readonly type: 'read'; readonly id: string }
)

/** `answer`: the id or code of the refusal for `open`, the name for `read`. */
export interface NodeReply {
  readonly number: number
  readonly answer: string
}

const store = await openStore(await openPostgres({ url: process.argv[2] ?? '' }), [accounts])

async function answer(request: NodeRequest): Promise<string> {
  if (request.type === 'read') return (await store.get(accounts, request.id))?.state.name ?? 'nothing'
  try {
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
