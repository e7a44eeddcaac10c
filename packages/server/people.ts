/** What claims say about a person, in short words. */
import type { JWTPayload } from 'jose'

export interface Caller {
  readonly sub: string
  /** The keys of the roles in the projects that the token or session is for. */
  readonly roles: readonly string[]
  readonly organizationId: string | undefined
  readonly scopes: readonly string[]
  /** When the person authenticated, in seconds; undefined when it is not known. */
  readonly authTime: number | undefined
  readonly acr: string | undefined
  readonly claims: JWTPayload
}

const ROLES = /^urn:zitadel:iam:org:project:(\d+:)?roles$/

/** The keys of all roles; in a session they are a list already. */
export function rolesIn(claims: JWTPayload): readonly string[] {
  if (Array.isArray(claims.roles)) return claims.roles
  const found = Object.entries(claims).filter(([name]) => ROLES.test(name))
  return [...new Set(found.flatMap(([, roles]) => Object.keys(roles ?? {})))]
}

export function callerOf(claims: JWTPayload): Caller {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : undefined)
  return {
    sub: claims.sub ?? '',
    roles: rolesIn(claims),
    organizationId: text('urn:zitadel:iam:user:resourceowner:id'),
    scopes: (text('scope') ?? '').split(' ').filter((one) => one !== ''),
    authTime: typeof claims.auth_time === 'number' ? claims.auth_time : undefined,
    acr: text('acr'),
    claims,
  }
}
