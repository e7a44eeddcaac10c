/** Whether a request was made on this machine. What is open to that alone asks nothing else of its reader. */
import { isLoopbackAddress, isLoopbackHost } from '../kernel/loopback.ts'
import type { PageRequest } from './page.ts'

/** What a proxy leaves on a request that it passes on. */
const TRACE = /^(?:forwarded|via|x-forwarded(?:-.+)?|x-real-ip|x-client-ip|true-client-ip)$/

/** The host that the client asked for. */
export function hostOf(request: Pick<PageRequest, 'header'>): URL | null {
  return URL.parse(`http://${request.header(':authority') ?? request.header('host') ?? ''}`)
}

/**
 * Whether the request comes from this machine, and not through a proxy on it (which leaves a trace, or passes on the host that
 * was asked for) nor a page of another site under a name of its own that leads here (DNS rebinding).
 */
export function isFromThisMachine(request: Pick<PageRequest, 'peer' | 'header' | 'headerNames'>): boolean {
  return (
    isLoopbackAddress(request.peer) &&
    isLoopbackHost(hostOf(request)?.hostname ?? '') &&
    !request.headerNames.some((name) => TRACE.test(name))
  )
}
