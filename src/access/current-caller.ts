/** Whose request is being served, for what is shared by all of them and knows no request: hashing threads and slow searches. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Owners } from '../kernel/share.ts'

/** Names the caller of a request: the organization and its user, or the place in the network of an anonymous one. */
export type NameCaller = () => Owners

const serving = new AsyncLocalStorage<NameCaller>()

/** Runs `serve` as the work of a request; the caller may become known later. */
export function serveAs<Value>(nameCaller: NameCaller, serve: () => Value): Value {
  return serving.run(nameCaller, serve)
}

/** What the server does by itself. */
const NOBODY: Owners = ['']

/** The owners of the request that this work is for. */
export function currentOwners(): Owners {
  return serving.getStore()?.() ?? NOBODY
}
