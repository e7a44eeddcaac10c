/** The addresses of a client that comes from another product: which can be registered, and what such a client is. Pure. */
import { isLoopbackAddress } from '../../kernel/loopback.ts'
import { isWeb, parseAddress } from './addresses.ts'
import type { OidcApplicationType } from './events.ts'
import { type RedirectUriProblem, redirectUriProblem } from './redirect-uris.ts'

export interface SortedAddresses {
  readonly usable: readonly string[]
  readonly refused: readonly { readonly uri: string; readonly because: RedirectUriProblem }[]
}

/** Sorts addresses into those that can be registered, in development mode if they have a wildcard, and the others. */
export function sortForeignAddresses(uris: readonly string[]): SortedAddresses {
  const usable: string[] = []
  const refused: { readonly uri: string; readonly because: RedirectUriProblem }[] = []
  for (const uri of new Set(uris)) {
    const because = redirectUriProblem(uri, true)
    if (because === undefined) usable.push(uri)
    else refused.push({ uri, because })
  }
  return { usable, refused }
}

/** What a client without a secret is: on a device if it waits there for answers, else in a browser. */
export function typeOfForeignClient(redirectUris: readonly string[]): OidcApplicationType {
  const urls = redirectUris.map((uri) => parseAddress(uri.replaceAll('*', '1')))
  const isOnDevice = urls.some((url) => url && (!isWeb(url) || isLoopbackAddress(url.hostname.replace(/^\[|\]$/g, ''))))
  return redirectUris.length === 0 || isOnDevice ? 'native' : 'user_agent'
}
