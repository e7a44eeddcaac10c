/** The parameters of a stored authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). Pure. */
import type { WaitingRequest } from './decider.ts'

/** What login pages show to clients instead of the bare ID. */
const ID_PREFIX = 'V2_'

/** The ID of a request for login pages. */
export function publicIdOf(id: string): string {
  return ID_PREFIX + id
}

/** The stored ID; undefined when the text is no ID of a request. */
export function storedIdOf(publicId: string): string | undefined {
  return publicId.startsWith(ID_PREFIX) ? publicId.slice(ID_PREFIX.length) : undefined
}

/** The parameters that login pages and answers need. */
export interface Parameters {
  readonly redirectUri: string
  readonly responseMode: 'query' | 'fragment'
  readonly scope: string
  readonly state?: string
  readonly nonce?: string
  readonly claims?: string
  readonly codeChallenge?: string
  readonly dpopKey?: string
  readonly resource?: string
  readonly prompts: readonly string[]
  /** In seconds. */
  readonly maxAge?: number
  readonly uiLocales: readonly string[]
  readonly loginHint?: string
  readonly idTokenHint?: string
}

function wordsOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(' ').filter((word) => word !== '')
}

/** Reads the parameters that the engine has validated and stored. */
export function parametersOf({ secret }: Pick<WaitingRequest, 'secret'>): Parameters {
  const params = (secret.payload.params ?? {}) as Readonly<Record<string, unknown>>
  const text = (name: string): string | undefined => {
    const value = params[name]
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
  }
  const optional = <Name extends string>(member: Name, name: string) => {
    const value = text(name)
    return (value === undefined ? {} : { [member]: value }) as { readonly [Key in Name]?: string }
  }
  const maxAge = text('max_age')
  return {
    redirectUri: text('redirect_uri') ?? '',
    // A code is never sent in a form here: the login page redirects to a URL.
    responseMode: text('response_mode') === 'fragment' ? 'fragment' : 'query',
    scope: text('scope') ?? '',
    ...optional('state', 'state'),
    ...optional('nonce', 'nonce'),
    ...optional('claims', 'claims'),
    ...optional('codeChallenge', 'code_challenge'),
    ...optional('dpopKey', 'dpop_jkt'),
    ...optional('resource', 'resource'),
    prompts: wordsOf(text('prompt')),
    ...(maxAge !== undefined && { maxAge: Number(maxAge) }),
    uiLocales: wordsOf(text('ui_locales')),
    ...optional('loginHint', 'login_hint'),
    ...optional('idTokenHint', 'id_token_hint'),
  }
}

/** The URL that answers a request, with the issuer (RFC 9207). The redirect URI has no fragment. */
export function callbackUrl(
  { redirectUri, responseMode, state }: Pick<Parameters, 'redirectUri' | 'responseMode' | 'state'>,
  issuer: string,
  answer: Readonly<Record<string, string | undefined>>,
): string {
  const members = Object.entries({ ...answer, state, iss: issuer })
  const given = members.filter((entry): entry is [string, string] => entry[1] !== undefined)
  const separator = responseMode === 'fragment' ? '#' : redirectUri.includes('?') ? '&' : '?'
  return `${redirectUri}${separator}${new URLSearchParams(given)}`
}
