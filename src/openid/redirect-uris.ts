/** Where an application may receive answers. Registered addresses match exactly (RFC 9700 §2.1). */
import type { OidcConfig } from '../features/applications/index.ts'
import { isLoopbackHost } from '../kernel/loopback.ts'

function loopback(uri: string): URL | undefined {
  const url = URL.parse(uri)
  return url !== null && url.protocol === 'http:' && isLoopbackHost(url.hostname) ? url : undefined
}

/** Whether both are addresses of the user's own machine that differ in the port alone (RFC 8252 §7.3). */
function differsInPort(registered: string, asked: string): boolean {
  const [one, other] = [loopback(registered), loopback(asked)]
  if (one === undefined || other === undefined) return false
  return (
    one.hostname === other.hostname &&
    one.pathname === other.pathname &&
    one.search === other.search &&
    `${other.username}${other.password}${other.hash}` === ''
  )
}

type Rules = Pick<OidcConfig, 'applicationType' | 'developmentMode'>

/** Whether an address of this form is safe for this type of application. */
function isUsable(uri: string, { applicationType, developmentMode }: Rules): boolean {
  const url = URL.parse(uri)
  if (url === null || url.hash !== '' || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') {
    return developmentMode || applicationType === 'web' || isLoopbackHost(url.hostname)
  }
  // A scheme of its own leads to an app on the device, never to a website.
  return applicationType === 'native'
}

/** Whether an answer may be sent to this address. */
export function isRedirectAllowed(uri: string, registered: readonly string[], rules: Rules): boolean {
  if (!isUsable(uri, rules)) return false
  if (registered.includes(uri)) return true
  const anyPort = rules.applicationType === 'native' || rules.developmentMode
  return anyPort && registered.some((one) => differsInPort(one, uri))
}
