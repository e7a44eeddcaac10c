/** The addresses of a client: where answers go to, and which sites may call the API. */
import { sortForeignAddresses } from '../../../features/applications/index.ts'
import type { Members } from '../json/members.ts'

export interface ClientAddresses {
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  readonly additionalOrigins: readonly string[]
  /** An address with `*` is only allowed in development mode. */
  readonly hasWildcard: boolean
  /** One sentence for each that is not carried, or means something else here. */
  readonly left: readonly string[]
}

/** Addresses as browsers see them: those that begin with a slash are below the root of the client. */
function absolute(root: string, uris: readonly string[]): readonly string[] {
  return uris.map((uri) => (uri.startsWith('/') ? root.replace(/\/$/, '') + uri : uri))
}

/** `https://app.example/*` also means the address without anything after it. */
function withBare(uris: readonly string[]): readonly string[] {
  return uris.flatMap((uri) => (/[^*/]\/\*$/.test(uri) ? [uri, uri.slice(0, -1)] : [uri]))
}

/** Whether a `*` could match more here: in Keycloak it counts as the last character, and never in a host by itself. */
function isWiderHere(uri: string): boolean {
  const [before = '', ...after] = uri.split('*')
  const isAtEnd =
    after.length === 1 && after[0] === '' && /^[a-z][a-z0-9+.-]*:(\/\/[^/?#]+\/|\/(?!\/))[^?#]*$/i.test(before)
  return uri !== '*' && after.length > 0 && !isAtEnd
}

function usable(uris: readonly string[], left: string[]): readonly string[] {
  for (const uri of uris) {
    if (isWiderHere(uri))
      left.push(`The address ${uri} stays behind: in Keycloak a * counts at the end of a path alone.`)
    if (uri.startsWith('/') || uri.includes('${'))
      left.push(
        `The address ${uri} stays behind: the client has no root URL that is an address. Enter the whole address.`,
      )
  }
  const absoluteUris = uris.filter((uri) => !isWiderHere(uri) && !uri.startsWith('/') && !uri.includes('${'))
  const { usable: found, refused } = sortForeignAddresses(withBare(absoluteUris))
  for (const { uri, because } of refused) left.push(`The address ${uri} cannot be used here (${because}).`)
  return found
}

function originOf(uri: string): string | undefined {
  const url = URL.parse(uri.replaceAll('*', '1'))
  return url !== null && /^https?:$/.test(url.protocol) && !url.host.includes('*') ? url.origin : undefined
}

function postLogoutOf(client: Members, root: string, redirectUris: readonly string[]): readonly string[] {
  // As Keycloak does: where nothing is set, the redirect URIs count.
  const text = client.inner('attributes').maybeText('post.logout.redirect.uris') ?? '+'
  if (text === '' || text === '-') return []
  return text.split('##').flatMap((uri) => (uri === '+' ? redirectUris : absolute(root, [uri])))
}

export function addressesOf(client: Members): ClientAddresses {
  const left: string[] = []
  const root = client.maybeText('rootUrl') ?? ''
  const given = absolute(root, client.texts('redirectUris'))
  const redirectUris = usable(given, left)
  const postLogoutRedirectUris = usable(postLogoutOf(client, root, given), left)
  const own = new Set(redirectUris.map(originOf))
  const additionalOrigins: string[] = []
  for (const origin of client.texts('webOrigins')) {
    if (origin === '+' || own.has(origin.replace(/\/$/, ''))) continue
    const url = URL.parse(origin)
    if (url === null || url.origin === 'null' || origin.includes('*'))
      left.push(`The web origin ${origin} cannot be used here: name the sites one by one.`)
    else additionalOrigins.push(url.origin)
  }
  const all = [...redirectUris, ...postLogoutRedirectUris]
  const patterns = all.filter((uri) => uri.includes('*'))
  if (patterns.length > 0)
    left.push(
      `In ${[...new Set(patterns)].join(', ')} a * stands for one part of the path, and the application is in development mode for it, in which http addresses and all ports of this machine (localhost) count, too: enter the exact addresses and end that mode.`,
    )
  return { redirectUris, postLogoutRedirectUris, additionalOrigins, hasWildcard: patterns.length > 0, left }
}
