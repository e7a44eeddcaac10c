/**
 * Resolves host names that callers chose. The address is checked when the connection is made, on the result of the
 * lookup, so that DNS rebinding is not possible.
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress, isPublicOrOwnAddress } from '../kernel/network-address.ts'

/** Whether the server may connect to an address, such as `isPublicAddress` or `isPublicOrOwnAddress` of the kernel. */
export type IsAllowed = (address: string) => boolean

const isOwnAddress: IsAllowed = (address) => isPublicOrOwnAddress(address) && !isPublicAddress(address)

/**
 * The addresses that a connection may be made to. What is not encrypted can be read and changed on the way, so it stays
 * in the private network.
 */
export function allowedAddresses(isEncrypted: boolean, allowsPrivate: boolean): IsAllowed {
  if (isEncrypted) return allowsPrivate ? isPublicOrOwnAddress : isPublicAddress
  return allowsPrivate ? isOwnAddress : () => false
}

/** Resolves a host name to all of its addresses. Tests pass their own. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void

const resolveAll: Resolve = (hostname, done) => dnsLookup(hostname, { all: true }, done)

/** The error of a guarded lookup when the host name resolves to an address that is not allowed. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

/** A lookup function for sockets. Fails when any of the resolved addresses is not allowed. */
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
