/**
 * Looks up a name that a caller chose, for a connection of ours: the address is checked when the connection is
 * made, on what the name resolved to (no second lookup, no rebinding).
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** Whether we may connect to an address, as `isPublicAddress` or `isPublicOrOwnAddress` of the kernel say it. */
export type IsAllowed = (address: string) => boolean

/** Resolves a name to all its addresses; tests pass their own. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void

const resolveAll: Resolve = (hostname, done) => dnsLookup(hostname, { all: true }, done)

/** What a guarded lookup fails with when the name leads where we may not go. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

/** A lookup for sockets that knows only allowed addresses. One other address among many spoils them all. */
export function guardedLookup(isAllowed: IsAllowed, resolve: Resolve = resolveAll): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return done(error, [])
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
        return done(new ForbiddenAddress('the name leads to an address that is not allowed'), [])
      }
      return options.all === true ? done(null, [...addresses]) : done(null, first.address, first.family)
    })
  }
}
