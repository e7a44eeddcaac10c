/** Whose request is being served, for what is shared by all of them and knows no request: hashing threads and slow searches. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Owners } from '../kernel/share.ts'

/** An identified caller: the organization and its user. */
export type IdentifiedCaller = readonly [organizationId: string, userId: string]

/** A request that is served. */
interface Serving {
  /** The place in the network that it came from. */
  readonly source: () => string
  caller: IdentifiedCaller | undefined
}

const serving = new AsyncLocalStorage<Serving>()

/** Runs `serve` as the work of a request from this place in the network; its caller may become known later. */
export function serveFrom<Value>(source: () => string, serve: () => Value): Value {
  return serving.run({ source, caller: undefined }, serve)
}

/**
 * The request is this caller's. Whatever identifies callers says so here, by a token or by the session of a browser: what they
 * use is counted for them and their organization from then on.
 */
export function countFor(organizationId: string, userId: string): void {
  const current = serving.getStore()
  if (current !== undefined) current.caller = [organizationId, userId]
}

/** The caller of the request that this work is for, if it was identified. */
export function identifiedCaller(): IdentifiedCaller | undefined {
  return serving.getStore()?.caller
}

/** What the server does by itself. */
const NOBODY: Owners = ['']

/** The owners of the request that this work is for. */
export function currentOwners(): Owners {
  const current = serving.getStore()
  return current === undefined ? NOBODY : (current.caller ?? [current.source()])
}
