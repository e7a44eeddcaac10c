/** Makes the digests of what is shown. */
import { createHash } from 'node:crypto'
import { isLoopbackHost } from '../../kernel/loopback.ts'
import type { Picture } from './picture.ts'

/** A scope as it is shown: one of a resource has a sentence of that. */
export interface ShownScope {
  readonly key: string
  readonly description?: string
}

/** What is shown of an application. */
export interface Shown {
  readonly clientId: string
  readonly name: string
  /** Where codes are sent to; none: the application asks without a browser. */
  readonly redirectUris: readonly string[]
  readonly scopes: readonly ShownScope[]
  /** The URI of the resource. */
  readonly resource?: string | undefined
}

function digestOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url')
}

/** A redirect URI with its host; the port on the user's own machine may be another one each time (RFC 8252 §7.3). */
function placeOf(redirectUri: string): string {
  const url = URL.parse(redirectUri)
  if (url === null || !isLoopbackHost(url.hostname)) return digestOf(url?.host ?? '', redirectUri)
  url.port = ''
  return digestOf(url.hostname, url.href)
}

function scopeDigest({ key, description = '' }: ShownScope): string {
  return digestOf(key, description)
}

/** Whether a picture shows a scope with its sentence. */
export function isScopeIn(scope: ShownScope, { scopes }: Picture): boolean {
  return scopes.includes(scopeDigest(scope))
}

/** The picture of what is shown. */
export function pictureOf({ clientId, name, redirectUris, scopes, resource }: Shown): Picture {
  return {
    frame: digestOf(clientId, name, resource ?? ''),
    places: redirectUris.map(placeOf),
    scopes: scopes.map(scopeDigest),
  }
}
