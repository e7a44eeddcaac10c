/** What a request must bring: a session of the app or an access token, and what the route demands of it. */
import type { Incoming } from './incoming.ts'
import { TokenError } from './issuer.ts'
import { type Caller, callerOf } from './people.ts'
import type { Session } from './session.ts'
import type { Settings } from './settings.ts'
import type { tokenReader } from './tokens.ts'

export interface Demands {
  /** All of them. */
  readonly scopes?: readonly string[]
  /** One of them. */
  readonly roles?: readonly string[]
  /** The ID of the organization that the caller belongs to. */
  readonly organization?: string
  /** How many seconds ago the person may have authenticated. */
  readonly maxAge?: number
  /** `urn:signet:acr:2`: with two factors. */
  readonly acr?: string
}

const ACR = ['urn:signet:acr:1', 'urn:signet:acr:2']
const DEMANDS = ['scopes', 'roles', 'organization', 'maxAge', 'acr']

function refusal(status: number, error: string, text: string, more: Readonly<Record<string, string>> = {}): Response {
  // Quotation marks and backslashes would end the text (RFC 9110 §5.6.4).
  const parameters = {
    ...(error !== '' && { error, error_description: text.replaceAll(/["\\]|[^\x20-\x7e]/g, "'") }),
    ...more,
  }
  const challenge = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return new Response(JSON.stringify({ error: error || 'unauthenticated', error_description: text }), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'www-authenticate': ['Bearer', challenge.join(', ')].filter((part) => part !== '').join(' '),
    },
  })
}

function reaches(acr: string | undefined, needed: string): boolean {
  return acr === needed || ACR.indexOf(acr ?? '') > ACR.indexOf(needed)
}

/** Why a caller does not get in; undefined when they do. */
function problemOf(caller: Caller, demands: Demands, now: Date): Response | undefined {
  const { scopes = [], roles, organization, maxAge, acr } = demands
  const isOld = maxAge !== undefined && now.getTime() / 1000 - (caller.authTime ?? 0) > maxAge
  const isWeak = acr !== undefined && !reaches(caller.acr, acr)
  // RFC 9470 §3.
  if (isOld || isWeak) {
    const needed = {
      ...(acr !== undefined && { acr_values: acr }),
      ...(maxAge !== undefined && { max_age: String(maxAge) }),
    }
    return refusal(401, 'insufficient_user_authentication', 'A stronger or more recent sign-in is needed.', needed)
  }
  // RFC 6750 §3.1.
  if (!scopes.every((one) => caller.scopes.includes(one)))
    return refusal(403, 'insufficient_scope', 'The token has not all scopes that are needed.', {
      scope: scopes.join(' '),
    })
  if (roles !== undefined && !roles.some((one) => caller.roles.includes(one)))
    return refusal(403, 'insufficient_scope', `One of these roles is needed: ${roles.join(', ')}.`)
  if (organization !== undefined && caller.organizationId !== organization)
    return refusal(403, 'insufficient_scope', 'The caller belongs to another organization.')
  return undefined
}

/** A form of another site can send the cookie of a neighbour on the same domain. */
function isFromElsewhere({ method, header }: Incoming, appUrl: URL | undefined): boolean {
  const origin = header('origin')
  return !['GET', 'HEAD', 'OPTIONS'].includes(method) && origin !== '' && origin !== appUrl?.origin
}

export type Guard = (request: Incoming) => Promise<Caller | Response>

export function guardOf(
  { appUrl, now }: Settings,
  readToken: ReturnType<typeof tokenReader>,
  findSession: (request: Incoming) => Promise<Session | undefined>,
  demands: Demands,
): Guard {
  const unknown = Object.keys(demands).find((name) => !DEMANDS.includes(name))
  if (unknown !== undefined) throw new TypeError(`protect: ${unknown} is nothing that can be demanded`)
  return async (request) => {
    const authorization = request.header('authorization')
    let caller: Caller | undefined
    if (authorization !== '') {
      const [, token] = /^Bearer ([\w~+/.-]+=*)$/i.exec(authorization) ?? []
      if (token === undefined) return refusal(401, 'invalid_request', 'Send the token as Authorization: Bearer.')
      try {
        caller = callerOf(await readToken(token))
      } catch (error) {
        if (error instanceof TokenError) return refusal(401, 'invalid_token', error.message)
        throw error
      }
    } else {
      caller = await findSession(request)
      if (caller !== undefined && isFromElsewhere(request, appUrl))
        return refusal(403, 'insufficient_scope', 'The request comes from another site.')
    }
    if (caller === undefined) return refusal(401, '', 'Sign in, or send an access token.')
    return problemOf(caller, demands, now()) ?? caller
  }
}
