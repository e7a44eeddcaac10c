/** Searches for the token that proves control of a domain: in a TXT record, or in a file on its web server. */
import { resolveTxt } from 'node:dns/promises'
import type { FindDomainToken } from '../../module/app.ts'
import { type GuardedFetch, OutboundFailed } from '../../outbound/fetch.ts'
import type { DomainProof } from './events.ts'

/** Where the organization has to publish its token. */
export function proofAddress(domain: string, proof: DomainProof, token: string): string {
  return proof === 'dns' ? `_signet-challenge.${domain}` : `https://${domain}/.well-known/signet-challenge/${token}`
}

const TIMEOUT_IN_MS = 10_000
const MOST_BYTES = 4096

async function findInDns(name: string, token: string): Promise<boolean> {
  try {
    const records = await resolveTxt(name)
    return records.some((chunks) => chunks.join('') === token)
  } catch {
    return false
  }
}

async function findOnWebServer(fetchOutside: GuardedFetch, address: string, token: string, signal: AbortSignal) {
  try {
    const limits = { mostBytes: MOST_BYTES, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_IN_MS)]) }
    const response = await fetchOutside(address, limits)
    return response.status === 200 && (await response.text()).trim() === token
  } catch (error) {
    if (error instanceof OutboundFailed) return false
    throw error
  }
}

/**
 * Searches in DNS and on web servers; the latter through the guarded fetch, which never connects to internal addresses.
 */
export function openTokenSearch({ fetchOutside }: { readonly fetchOutside: GuardedFetch }): FindDomainToken {
  return async (domain, proof, token, signal) => {
    const address = proofAddress(domain, proof, token)
    return proof === 'dns' ? findInDns(address, token) : findOnWebServer(fetchOutside, address, token, signal)
  }
}
