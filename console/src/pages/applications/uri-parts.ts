/** Parts of an address that sentences about it name. */
import { isLoopbackHost } from '../../../../src/kernel/loopback.ts'

/** The scheme with its colon. */
export function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf(':') + 1)
}

/** What the address probably should have been. */
export function withScheme(uri: string): string {
  const rest = uri.replace(/^\/+/, '')
  const host = rest.replace(/[:/?].*$/, '')
  return `${isLoopbackHost(host) ? 'http' : 'https'}://${host.includes('.') || isLoopbackHost(host) ? rest : `app.example.com/${rest}`}`
}
