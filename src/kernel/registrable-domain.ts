/**
 * Which part of a host name somebody registered: example.co.uk of a.example.co.uk, and me.github.io, because strangers
 * share the domain above it. Read from the Public Suffix List, which the library contains. Without anything of Node: the
 * console asks too.
 */
import { getDomain } from 'tldts'

/**
 * The registrable domain of a host name; undefined for addresses, for names with a dot at the end, and where the name is a
 * public suffix itself.
 */
export function registrableDomain(host: string): string | undefined {
  if (host.endsWith('.')) return undefined
  return getDomain(host, { allowPrivateDomains: true }) ?? undefined
}
