/** Sockets to hosts that callers chose, for protocols other than HTTP: the address is checked after the lookup. */
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectSecure, type TLSSocket } from 'node:tls'
import { allowedAddresses, ForbiddenAddress, guardedLookup } from './lookup.ts'

export type { Socket } from 'node:net'
export type { ConnectionOptions } from 'node:tls'

/** Where a socket goes, and whether anything that is sent is encrypted before. */
export interface Destination {
  readonly host: string
  readonly isEncrypted: boolean
  readonly allowsPrivate: boolean
}

/** What a library throws about something that the other side sent ends the connection, and not the process. */
function contained<Made extends Socket>(socket: Made): Made {
  const emit = socket.emit.bind(socket)
  socket.emit = ((...event: Parameters<typeof emit>) => {
    try {
      return emit(...event)
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined)
      return true
    }
  }) as Made['emit']
  return socket
}

/** Opens sockets to one host. Throws `ForbiddenAddress` for an address that is not allowed. */
export function guardedSockets({ host, isEncrypted, allowsPrivate }: Destination) {
  const isAllowed = allowedAddresses(isEncrypted, allowsPrivate)
  if (isIP(host) !== 0 && !isAllowed(host)) throw new ForbiddenAddress('the address is not allowed')
  const lookup = guardedLookup(isAllowed)
  const named = isIP(host) === 0 ? { host, servername: host } : { host }
  return {
    plain: (port: number): Socket => contained(connectPlain({ port, host, lookup })),
    secure: (port: number, options: ConnectionOptions): TLSSocket =>
      contained(connectSecure({ ...options, ...named, port, lookup })),
    /** Encrypts a connection that is open. */
    upgrade: (options: ConnectionOptions): TLSSocket => contained(connectSecure({ ...options, ...named })),
  }
}
