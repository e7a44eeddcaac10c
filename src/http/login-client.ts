/** The login page that stands in front of the server, if one does. */
import type { PageRequest } from './page.ts'

/**
 * The user that a login page acts as which stands in front of the server; empty when none does. Anybody can send the
 * header, so it counts only for a user who may answer requests.
 */
export function loginClientOf(request: PageRequest): string {
  return request.header('x-zitadel-login-client') ?? request.header('x-signet-login-client') ?? ''
}
