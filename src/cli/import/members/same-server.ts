/** A provider leads to the server that it led to in the source, or it is not carried: its links are accounts of that server. */
import { hostOfType } from '../../../features/identity-providers/index.ts'
import type { IdentityProviderDraft } from '../draft.ts'

type Provider = Pick<IdentityProviderDraft, 'type' | 'values'>

/** The host where users of a provider sign in; undefined where the draft has no address. */
function hostOf({ type, values }: Provider): string | undefined {
  return hostOfType(type) ?? URL.parse(values.authorizationEndpoint ?? values.issuer ?? '')?.host
}

/**
 * Why a provider is not the same server as in the source, whose authorization address is given; undefined: it is. A source
 * that has no such address says nothing.
 */
export function leadsElsewhere(authorizationAddress: string | undefined, provider: Provider): string | undefined {
  if (authorizationAddress === undefined || authorizationAddress === '') return undefined
  const [before, now] = [URL.parse(authorizationAddress)?.host, hostOf(provider)]
  if (before !== undefined && before === now) return undefined
  return `It would lead to another server: users sign in at ${before ?? 'no address that can be read'} in the source, and at ${now ?? 'no address'} here. It stays behind with its links.`
}
