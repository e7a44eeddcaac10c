/** Addresses of this machine: in development mode all of its ports count, and other products take those that are written. */
import { isLoopbackHost } from '../../kernel/loopback.ts'

/** An address of this machine that is not encrypted, whatever is in the place of a `*`. */
export function onThisMachine(uri: string): URL | undefined {
  const url = URL.parse(uri.replaceAll('*', '1'))
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname) ? url : undefined
}

/** What the report says of one for which other ports would count. */
export function otherPorts(uri: string): string {
  return `The address ${uri} stays behind: all ports of this machine would count. Enter the exact address, without a *.`
}
