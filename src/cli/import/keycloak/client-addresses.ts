/** The addresses of a client: where answers go to, and which sites may call the API. */
import { type OidcConfig, sortForeignAddresses } from '../../../features/applications/index.ts'
import type { Members } from '../json/members.ts'
import { onThisMachine, otherPorts } from '../this-machine.ts'

export interface ClientAddresses {
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  readonly additionalOrigins: readonly string[]
  readonly applicationType: OidcConfig['applicationType']
  /** An address with `*` is only allowed in it. */
  readonly developmentMode: boolean
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

/** Why an address cannot be registered. */
const REFUSED: Readonly<Partial<Record<string, string>>> = {
  spaces: 'it has a space',
  characters: 'it has a character that must be encoded',
  absolute: 'it is no whole address',
  scheme_missing: 'it has no scheme, such as https',
  scheme: 'its scheme can run code in a browser',
  fragment: 'it has a fragment (#)',
  host: 'it has no host',
  credentials: 'it has a username or password',
  wildcard_place: 'a * in this place matches nothing',
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
  for (const { uri, because } of refused)
    left.push(`The address ${uri} cannot be used here: ${REFUSED[because] ?? because}.`)
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

/** Addresses without a port at which Keycloak takes all ports. */
const WITH_ALL_PORTS: readonly string[] = ['http://localhost', 'http://127.0.0.1']

function hasAllPorts({ origin }: URL): boolean {
  return WITH_ALL_PORTS.includes(origin)
}

/** Without a secret, a client is an app on a device if it waits there for answers, on any port or with a scheme of its own. */
function typeOf(client: Members, uris: readonly string[]): OidcConfig['applicationType'] {
  if (!client.flag('publicClient')) return 'web'
  const isApp = uris.some((uri) => {
    const local = onThisMachine(uri)
    return local === undefined ? !/^https?:/i.test(uri) : hasAllPorts(local)
  })
  return isApp || uris.length === 0 ? 'native' : 'user_agent'
}

/** Addresses of this machine for which other ports would count, too. */
function isOpenToPorts(uri: string, hasOtherPorts: boolean): boolean {
  const local = onThisMachine(uri)
  return local !== undefined && (uri.includes('*') || (hasOtherPorts && !hasAllPorts(local)))
}

export function addressesOf(client: Members): ClientAddresses {
  const left: string[] = []
  const root = client.maybeText('rootUrl') ?? ''
  const given = absolute(root, client.texts('redirectUris'))
  const lists = [usable(given, left), usable(postLogoutOf(client, root, given), left)] as const
  const applicationType = typeOf(client, lists[0])
  const patterns = [...new Set(lists.flat())].filter((uri) => uri.includes('*') && onThisMachine(uri) === undefined)
  const hasOtherPorts = patterns.length > 0 || applicationType === 'native'
  const [redirectUris = [], postLogoutRedirectUris = []] = lists.map((uris) =>
    uris.filter((uri) => !isOpenToPorts(uri, hasOtherPorts)),
  )
  for (const uri of lists.flat().filter((one) => isOpenToPorts(one, hasOtherPorts))) left.push(otherPorts(uri))
  const own = new Set(redirectUris.map(originOf))
  const additionalOrigins: string[] = []
  for (const origin of client.texts('webOrigins')) {
    if (origin === '+' || own.has(origin.replace(/\/$/, ''))) continue
    const url = URL.parse(origin)
    if (url === null || url.origin === 'null' || origin.includes('*'))
      left.push(`The web origin ${origin} cannot be used here: name the sites one by one.`)
    else additionalOrigins.push(url.origin)
  }
  if (patterns.length > 0)
    left.push(
      `In ${patterns.join(', ')} a * stands for one part of the path, and the application is in development mode for it: enter the exact addresses and end that mode.`,
    )
  const all = { redirectUris, postLogoutRedirectUris, additionalOrigins }
  return { ...all, applicationType, developmentMode: patterns.length > 0, left: [...new Set(left)] }
}
