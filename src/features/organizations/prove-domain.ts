/** Looks on a domain for the token that proves whose it is: in a TXT record, or in a file on its web server. */
import { resolveTxt } from 'node:dns/promises'
import { isPublicAddress, isPublicOrOwnAddress } from '../../kernel/network-address.ts'
import type { DomainProof } from './events.ts'
import { fetchText } from './guarded-fetch.ts'

/** Where the organization has to publish its token. */
export const proofAddress = (domain: string, proof: DomainProof, token: string): string =>
  proof === 'dns' ? `_signet-challenge.${domain}` : `https://${domain}/.well-known/signet-challenge/${token}`

/** Whether the token was found. Everything that goes wrong on the way means: not found. */
export type FindToken = (domain: string, proof: DomainProof, token: string, signal: AbortSignal) => Promise<boolean>

const TIMEOUT_IN_MS = 10_000
const MOST_BYTES = 4096

const findInDns = async (name: string, token: string): Promise<boolean> => {
  try {
    const records = await resolveTxt(name)
    return records.some((chunks) => chunks.join('') === token)
  } catch {
    return false
  }
}

/** Looks in the real world; on web servers of the operator's own network only when that is allowed. */
export const openTokenSearch = ({ allowsPrivate }: { readonly allowsPrivate: boolean }): FindToken => {
  const isAllowed = allowsPrivate ? isPublicOrOwnAddress : isPublicAddress
  return async (domain, proof, token, signal) => {
    const address = proofAddress(domain, proof, token)
    if (proof === 'dns') return findInDns(address, token)
    const options = { signal, mostBytes: MOST_BYTES, timeoutMs: TIMEOUT_IN_MS, isAllowed }
    return (await fetchText(new URL(address), options))?.trim() === token
  }
}
