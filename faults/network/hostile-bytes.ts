/**
 * Random HTTP/1.1 of a peer that means no good: requests that two readers would cut in different places, chunks that are
 * none, floods of header fields, many requests in one write, and bodies that never come.
 */
import { cutShort, noise, once, some } from './chance.ts'
import type { Random } from './mutations.ts'

const VERBS = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'CONNECT', 'TRACE', 'BREW', 'get', 'PRI', ''] as const
/** Those that are answered early are the interesting ones: their bodies are still arriving. */
const PATHS = [
  ...['/', '/healthz', '/readyz', '/nowhere', '/oauth/v2/token', '/v2/users/1', '/ui/login', '/ui/console/'],
  ...['/zitadel.user.v2.UserService/GetUserByID', '/oauth/v2/authorize?client_id=1', '/v2/users/%00', '/v2/users/%'],
  ...['//', '/../..', '*', 'http://a/', 'http://[', '/?%ff%fe', '/\x00', '/a b', `/${'a'.repeat(9_000)}`],
] as const
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/9.9',
  'http/1.1',
  'HTTP/1.1 ',
  '',
] as const
const FIELDS = [
  ...['connection: close', 'connection: keep-alive', 'connection: upgrade\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk'],
  ...[
    'connection: upgrade\r\nupgrade: websocket',
    'connection: host, content-length',
    'expect: 100-continue',
    'expect: x',
  ],
  ...['content-type: application/json', 'content-type: application/grpc', 'content-type: application/grpc-web-text'],
  ...[
    'content-type: application/x-www-form-urlencoded',
    'content-type: multipart/form-data; boundary=',
    'te: trailers',
  ],
  ...[
    'authorization: Bearer x',
    'authorization: Basic !',
    'cookie: a=b; a',
    'content-encoding: gzip',
    'host: b',
    'host:',
  ],
  ...['trailer: host', 'x: \x00', 'x\x00: y', 'x : y', ': y', 'x', ' folded', '\tfolded', 'x: y\rz: w', 'x: y\nz: w'],
  ...[
    '__proto__: x',
    'x: \xff\xfe',
    'accept-encoding: br',
    'range: bytes=0-,0-,0-',
    'x-forwarded-for: ::',
    'grpc-timeout: 1n',
  ],
] as const
/** What decides where a body ends, in ways on which readers do not agree. */
const LENGTHS = [
  ...['content-length: 5', 'content-length: 0', 'content-length: 100000', 'content-length: -1', 'content-length: +5'],
  ...['content-length: 5, 5', 'content-length: 5\r\ncontent-length: 6', 'content-length: 0x5', 'content-length : 5'],
  ...[
    'content-length: 99999999999999999999',
    'content-length:',
    'transfer-encoding: chunked',
    'transfer-encoding: chunked',
  ],
  ...['transfer-encoding: chunked\r\ncontent-length: 5', 'content-length: 5\r\ntransfer-encoding: chunked'],
  ...['transfer-encoding: identity', 'transfer-encoding: xchunked', 'transfer-encoding: chunked, identity'],
  ...['transfer-encoding:\x0bchunked', 'transfer-encoding: gzip, chunked', 'transfer-encoding : chunked'],
  ...[
    'transfer-encoding: chunked\r\ntransfer-encoding: identity',
    'transfer-encoding\r\n : chunked',
    'tRANSFER-eNCODING: cHUNKED',
  ],
] as const
const CHUNK_SIZES = [
  '5',
  '0',
  '05',
  '5;ext=1',
  '5 ',
  ' 5',
  '0x5',
  '-1',
  '+5',
  'ffffffffffffffff',
  'fffffffff',
  'g',
  '',
] as const
const BODIES = ['', '{}', 'a=b&c=d', '{"userId":"1"}', '\x00\x00\x00\x00\x05hello', '['.repeat(2_000)] as const
const LINE_ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\n\r'] as const

/** A request that is fine for a reader who takes the other length. */
const SMUGGLED = 'GET /nowhere HTTP/1.1\r\nhost: smuggled\r\n\r\n'

function text(value: string): Buffer {
  return Buffer.from(value, 'latin1')
}

function chunks(random: Random): string {
  const made = some(
    random,
    4,
    () => `${random.pick(CHUNK_SIZES)}${random.pick(LINE_ENDS)}hello${random.pick(LINE_ENDS)}`,
  )
  const trailers = some(random, 2, () => `${random.pick(FIELDS)}\r\n`)
  return `${made.join('')}${once(random, 4) ? '' : '0\r\n'}${trailers.join('')}${once(random, 4) ? '' : '\r\n'}`
}

function fields(random: Random): string[] {
  const all: string[] = once(random, 12) ? [] : ['host: a']
  all.push(...some(random, 4, () => random.pick(FIELDS)))
  if (once(random, 15)) all.push(...Array.from({ length: 50 + random.below(3_000) }, (_, index) => `x-${index}: y`))
  if (once(random, 20)) all.push(`x-long: ${'y'.repeat(random.below(40_000))}`)
  return all
}

function request(random: Random): Buffer {
  const lines = [`${random.pick(VERBS)} ${random.pick(PATHS)} ${random.pick(VERSIONS)}`, ...fields(random)]
  const hasBody = !once(random, 3)
  if (hasBody) lines.splice(1 + random.below(lines.length), 0, random.pick(LENGTHS))
  const end = random.pick(LINE_ENDS)
  const head = text(`${lines.join(end)}${end}${once(random, 10) ? '' : end}`)
  if (!hasBody) return head
  const body = once(random, 2) ? chunks(random) : random.pick(BODIES)
  return Buffer.concat([head, text(body), once(random, 3) ? text(SMUGGLED) : Buffer.alloc(0)])
}

/** Nothing but its verb, path and length is odd: most others end at the reader. */
function plausible(random: Random): Buffer {
  const verb = random.pick(['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS'])
  const head = `${verb} ${random.pick(PATHS)} HTTP/1.1\r\nhost: a\r\n`
  if (once(random, 2)) return text(`${head}transfer-encoding: chunked\r\n\r\n${chunks(random)}`)
  const length = random.pick([0, 2, 5, 1_000_000])
  return text(`${head}content-length: ${length}\r\n\r\n${random.pick(BODIES)}`)
}

function pipeline(random: Random): Buffer {
  const one = once(random, 2)
    ? () => plausible(random)
    : () => text(`GET ${random.pick(PATHS)} HTTP/1.1\r\nhost: a\r\n\r\n`)
  return Buffer.concat(some(random, 200, one))
}

/** A TLS handshake on the port without TLS, the preface of HTTP/2 inside of HTTP/1.1, and anything at all. */
function foreign(random: Random): Buffer {
  const opening = random.pick([
    '\x16\x03\x01\x02\x00\x01',
    'PRI * HTTP/2.0\r\n\r\nSM\r',
    '\r\n\r\n\r\n',
    'PROXY TCP4 1.1.1.1 ',
    '',
  ])
  return Buffer.concat([text(opening), noise(random, 300)])
}

/** What a hostile peer writes on one connection over HTTP/1.1, in these pieces. */
export function hostileBytes(random: Random): readonly Buffer[] {
  const kinds = [request, request, request, plausible, plausible, plausible, pipeline, foreign]
  return cutShort(
    random,
    Array.from({ length: 1 + random.below(6) }, () => random.pick(kinds)(random)),
  )
}
