/** Whose request is being served, for what is shared by all of them and knows no request: the hashing threads. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Names the caller of a request: the user, or the address of an anonymous one. */
export type NameCaller = () => string

const serving = new AsyncLocalStorage<NameCaller>()

/** Runs `serve` as the work of a request; the caller may become known later. */
export function serveAs<Value>(nameCaller: NameCaller, serve: () => Value): Value {
  return serving.run(nameCaller, serve)
}

/** The caller of the request that this work is for; empty for what the server does by itself. */
export function currentCaller(): string {
  return serving.getStore()?.() ?? ''
}
