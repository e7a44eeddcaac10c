/** Says why a database cannot be used, for the operator: which host, port, user or database is wrong, never the password. */
import pg from 'pg'
import { listTargets } from './connection.ts'

interface Place {
  readonly host: string
  readonly port: string
  readonly user: string
  readonly database: string
}

function placesOf(url: string): readonly Place[] {
  return listTargets(url).map((target) => {
    const parsed = new pg.Client({ connectionString: target })
    const { host, port, user = '', database = '' } = parsed
    return { host, port: String(port), user, database }
  })
}

/** The errors of Node and PostgreSQL that an operator meets, by their codes. */
function sentenceOf(code: string, message: string, { host, port, user, database }: Place): string | undefined {
  const where = `${host}:${port}`
  switch (code) {
    case 'ECONNREFUSED':
      return `no server listens on ${where}`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host name ${host} cannot be resolved`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${where} does not answer; check the network and the firewall`
    case 'ECONNRESET':
      return `${where} closed the connection; it may not be PostgreSQL, or it may require TLS`
    case '28P01':
      return `the password of the user ${user} is wrong`
    case '28000':
      return `the server does not let the user ${user} connect from here to ${database} (pg_hba.conf)`
    case '3D000':
      return `the database ${database} does not exist`
    case '42501':
      return `the user ${user} may not create or use tables in ${database}`
    case '53300':
      return `${where} has no connection left (max_connections)`
    case '57P03':
      return `${where} is starting up or shutting down`
  }
  if (/unsupported startup parameter/.test(message)) {
    return `${where} is a pooler; add pool_mode=transaction to the URL`
  }
  if (/does not support SSL/.test(message)) return `${where} does not support TLS; remove sslmode from the URL`
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return `the certificate of ${host} is not trusted`
  if (/timeout|timed out/i.test(message)) return `${where} does not answer; check the network and the firewall`
  if (/standby or read-only/.test(message)) return `${where} is a standby or read-only; name the primary`
  return undefined
}

/** Why the database of this URL is unavailable, in one sentence; `error` is the driver's error or has it as its cause. */
export function describeFailure(url: string, error: unknown): string {
  let found = error
  while (found instanceof Error && found.cause instanceof Error) found = found.cause
  const { code = '', message = '' } = found as { readonly code?: string; readonly message?: string }
  const places = placesOf(url)
  // The driver does not say which host failed; the last one was tried last.
  const place = places.at(-1)
  const sentence = place && sentenceOf(code, message, place)
  if (sentence !== undefined) return `PostgreSQL is not available: ${sentence}.`
  const hosts = places.map(({ host, port }) => `${host}:${port}`).join(', ')
  return `PostgreSQL at ${hosts} is not available${code === '' ? '' : ` (${code})`}.`
}
