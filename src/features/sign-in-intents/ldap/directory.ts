/**
 * The only file that is an LDAP client, with ldapts, which is loaded with the first sign-in. Every connection goes to an
 * address that was checked after the lookup, and is used once: the library would connect again by itself, without TLS.
 */
import type * as Ldap from 'ldapts'
import { Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { ForbiddenAddress } from '../../../outbound/lookup.ts'
import { type ConnectionOptions, guardedSockets, type Socket } from '../../../outbound/socket.ts'
import type { LdapConnection } from '../../identity-providers/index.ts'
import { SignInFailed } from '../sign-in-failed.ts'
import { watchBeforeEncryption } from './before-encryption.ts'
import { accountOf, type EntryAccount, type FoundEntry } from './entry.ts'
import { userFilter } from './filter.ts'

/** A name and a password to check, and the account that searches. */
export interface DirectoryCheck {
  readonly connection: LdapConnection
  readonly bindPassword: string
  readonly userName: string
  readonly password: string
  /** Called with the name of the entry before its password is tried; throws where that may not be. */
  beforeBind?(entryName: string): void
}

/** More than any entry with the attributes that we ask for. */
const MOST_BYTES = 1024 * 1024
/** How often it is looked how much has arrived. */
const WATCH_MS = 20

interface Opened {
  readonly client: Ldap.Client
  /** Ends all connections at once. */
  readonly end: () => void
  readonly bytesRead: () => number
}

/** How the certificate of a server is verified: with the given authorities only, if there are any. */
function tlsOptions({ rootCa }: LdapConnection): ConnectionOptions {
  return { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(rootCa !== undefined && { ca: rootCa }) }
}

/** A client for one connection to one server. */
function openClient({ config }: App, { Client }: typeof Ldap, url: string, connection: LdapConnection): Opened {
  const { protocol, hostname } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isEncrypted = protocol === 'ldaps:' || connection.startTls
  const guarded = guardedSockets({ host, isEncrypted, allowsPrivate: config.allowsPrivateNetwork })
  const sockets: Socket[] = []
  let connections = 0
  let requireOneAnswer = () => {}
  const kept = <Made extends Socket>(socket: Made): Made => {
    sockets.push(socket)
    return socket
  }
  const once = (given: unknown): number => {
    if (connections++ > 0) throw new SignInFailed('unreachable')
    return Number(given)
  }
  type Options = ConstructorParameters<typeof Client>[0]
  const client = new Client({
    url,
    strictDN: false,
    createConnection: ((given: unknown) => {
      const socket = kept(guarded.plain(once(given)))
      if (isEncrypted) requireOneAnswer = watchBeforeEncryption(socket)
      return socket
    }) as Options['createConnection'],
    // StartTLS passes the options with the connection; `ldaps` passes a port.
    createSecureConnection: ((given: unknown) => {
      if (typeof given !== 'object') return kept(guarded.secure(once(given), tlsOptions(connection)))
      requireOneAnswer()
      return kept(guarded.upgrade(given as ConnectionOptions))
    }) as Options['createSecureConnection'],
  } as Options)
  return {
    client,
    end() {
      for (const socket of sockets) socket.on('error', () => undefined).destroy()
    },
    bytesRead: () => Math.max(0, ...sockets.map((socket) => socket.bytesRead)),
  }
}

/** The attributes to ask for; a directory that maps none has no attributes. */
function wantedOf({ attributes }: LdapConnection): string[] {
  const wanted = [...new Set(Object.values(attributes))]
  return wanted.length > 0 ? wanted : ['1.1']
}

function entryOf({ dn, ...attributes }: Ldap.Entry, wanted: readonly string[]): FoundEntry {
  const known = new Set(wanted.map((name) => name.toLowerCase()))
  const listed = Object.entries(attributes).flatMap(([name, values]) => {
    if (!known.has(name.toLowerCase())) return []
    const list = (Array.isArray(values) ? values : [values]).map((value) => Buffer.from(value))
    return list.length === 0 ? [] : [[name, list] as const]
  })
  return { dn, attributes: new Map(listed) }
}

/** Binds as the account that searches, finds one entry, and binds as that entry. */
async function check(
  { client }: Opened,
  url: string,
  asked: DirectoryCheck,
  library: typeof Ldap,
): Promise<FoundEntry> {
  const { connection, bindPassword, userName, password } = asked
  if (connection.startTls && !url.toLowerCase().startsWith('ldaps:')) await client.startTLS(tlsOptions(connection))
  await client.bind(connection.bindDn, bindPassword)
  const wanted = wantedOf(connection)
  const { searchEntries } = await client.search(connection.baseDn, {
    scope: 'sub',
    filter: userFilter(connection, userName),
    derefAliases: 'never',
    sizeLimit: 2,
    attributes: wanted,
    explicitBufferAttributes: wanted,
  })
  const [entry] = searchEntries
  // An empty name would be an anonymous bind, which succeeds with any password (RFC 4513 §5.1.2).
  if (entry === undefined || searchEntries.length !== 1 || !entry.dn.includes('=')) {
    throw new SignInFailed('credentials_wrong')
  }
  asked.beforeBind?.(entry.dn)
  try {
    await client.bind(entry.dn, password)
  } catch (error) {
    // Locked and expired accounts are refused in other ways than a wrong password.
    if (error instanceof library.ResultCodeError && !(error instanceof library.BusyError)) {
      throw new SignInFailed('credentials_wrong', { cause: error })
    }
    throw error
  }
  return entryOf(entry, wanted)
}

/** How long one server may take, so that all that are left have their part of the time that is left. */
export function partOf(timeoutMs: number, leftMs: number, serversLeft: number): number {
  return Math.max(1, Math.min(timeoutMs, Math.floor(leftMs / serversLeft)))
}

/** Runs the check with one server. It ends in time, and after a bounded number of bytes. */
async function checkWith(app: App, url: string, asked: DirectoryCheck, limitMs: number): Promise<FoundEntry> {
  const library = await import('ldapts')
  const opened = openClient(app, library, url, asked.connection)
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new SignInFailed('too_slow')), limitMs)
  const watch = setInterval(() => {
    if (opened.bytesRead() > MOST_BYTES) reject(new SignInFailed('too_large'))
  }, WATCH_MS)
  try {
    return await Promise.race([check(opened, url, asked, library), ended])
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    opened.end()
  }
}

/** The reason why a server did not answer; its texts stay here. */
function reasonOf(error: unknown, { ResultCodeError }: typeof Ldap): SignInFailed {
  if (error instanceof SignInFailed) return error
  if (error instanceof ForbiddenAddress) return new SignInFailed('address_forbidden', { cause: error })
  return new SignInFailed(error instanceof ResultCodeError ? 'provider_error' : 'unreachable', { cause: error })
}

/**
 * The account whose name and password these are. A server that does not answer is followed by the next one; the first
 * answer counts. Throws `SignInFailed`.
 */
export async function checkDirectory(app: App, asked: DirectoryCheck): Promise<EntryAccount> {
  // A bind without a password is an anonymous one, and succeeds (RFC 4513 §5.1.2).
  if (asked.password === '' || asked.userName.trim() === '') throw new SignInFailed('credentials_wrong')
  const library = await import('ldapts')
  let failed = new SignInFailed('unreachable')
  const { servers, timeoutMs } = asked.connection
  const until = performance.now() + app.config.longestWaitMs
  for (const [index, url] of servers.entries()) {
    const limitMs = partOf(timeoutMs, until - performance.now(), servers.length - index)
    try {
      return accountOf(asked.connection, await checkWith(app, url, asked, limitMs))
    } catch (error) {
      if (error instanceof Refused) throw error
      failed = reasonOf(error, library)
      if (failed.reason === 'credentials_wrong' || failed.reason === 'information_invalid') break
    }
  }
  throw failed
}
