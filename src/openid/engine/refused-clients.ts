/** Tells the record of sign-ins which requests the engine refused because of their client, and what they contained. */
import type { EventEmitter } from 'node:events'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { reportClient } from '../../features/sign-ins/index.ts'
import type { App } from '../../module/app.ts'
import { readCredentials } from '../machine-clients.ts'
import { requestOf } from './context.ts'

/** The events of the engine about requests that it refused. */
const REFUSED = [
  'authorization.error',
  'grant.error',
  'pushed_authorization_request.error',
  'device_authorization.error',
  'backchannel_authentication.error',
  'introspection.error',
  'revocation.error',
] as const

/** The client that a request names; it may not exist. */
function clientIdOf({ oidc, headers }: KoaContextWithOIDC): string {
  const named = oidc.client?.clientId ?? oidc.params?.client_id
  if (typeof named === 'string') return named
  try {
    return readCredentials(headers.authorization, new URLSearchParams())?.clientId ?? ''
  } catch {
    return ''
  }
}

/** How the client tried to authenticate. */
function methodOf({ oidc, headers }: KoaContextWithOIDC): string {
  if (headers.authorization !== undefined) return 'client_secret_basic'
  const body = oidc.body ?? {}
  if (body.client_secret !== undefined) return 'client_secret_post'
  return body.client_assertion === undefined ? 'none' : 'private_key_jwt'
}

function report(app: App, ctx: KoaContextWithOIDC, error: Error): void {
  const { name } = error
  const isRedirect = name === 'InvalidRedirectUri'
  if (!isRedirect && name !== 'InvalidClient' && name !== 'InvalidClientAuth') return
  const value = isRedirect ? String(ctx.oidc.params?.redirect_uri ?? '') : methodOf(ctx)
  const what = isRedirect ? 'redirect_uri' : 'client_authentication'
  // The page and the answer have the request ID as their reference.
  const refused = { requestId: requestOf(ctx).requestId, clientId: clientIdOf(ctx), error: name }
  app.log.warn(
    { ...refused, [isRedirect ? 'redirectUri' : 'method']: value },
    'a request of an application was refused',
  )
  reportClient(app, { clientId: clientIdOf(ctx), what, value }).catch((failure: unknown) =>
    app.log.warn({ error: failure }, 'a refused request could not be counted'),
  )
}

/** Listens to the engine of an app. */
export function reportRefusedClients(app: App, provider: EventEmitter): void {
  const refused = (ctx: KoaContextWithOIDC, error: Error) => report(app, ctx, error)
  for (const event of REFUSED) provider.on(event, refused)
}
