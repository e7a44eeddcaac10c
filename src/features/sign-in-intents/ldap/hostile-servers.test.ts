/** Servers that are no directories, or directories of somebody who wants to do harm. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, before, suite, type TestContext, test } from 'node:test'
import { openProviderWorld, type ProviderWorld } from '../../../../test/support/parts/providers.ts'
import type { FailureReason } from '../events.ts'
import { lengthOfMessage } from './before-encryption.ts'
import { checkDirectory, partOf } from './directory.ts'

/** A successful answer to the request with an ID: to a bind (0x61), to a search (0x65) or to StartTLS (0x78). */
function success(id: number, operation: number): Buffer {
  return Buffer.from([0x30, 0x0c, 0x02, 0x01, id, operation, 0x07, 0x0a, 0x01, 0x00, 0x04, 0x00, 0x04, 0x00])
}

const BIND = 0x61
const SEARCH = 0x65
const START_TLS = 0x78
/** Says which request a message answers: the one that was just read. */
type Answer = (id: number) => Buffer

/** The ID of a request, behind the header of the message and that of the number. */
function idOf(request: Buffer): number {
  const first = request[1] ?? 0
  return request[(first < 0x80 ? 2 : 2 + first - 0x80) + 2] ?? 0
}

/** A reference to another place, for a request that nobody made: the smallest message. */
const TINY = Buffer.from([0x30, 0x05, 0x02, 0x01, 0x7f, 0x73, 0x00])

/** What a server answers to each request, and from then on. */
const HOSTILE: Readonly<Record<string, readonly [FailureReason, ...Answer[]]>> = {
  'thousands of messages at once': ['unreachable', () => Buffer.concat(Array.from({ length: 40_000 }, () => TINY))],
  'an entry that never ends': [
    'too_large',
    (id) => success(id, BIND),
    () => Buffer.concat([Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]), Buffer.alloc(4_000_000)]),
  ],
  'a message with a length that is none': ['too_slow', () => Buffer.from([0x30, 0x89, 1, 2, 3, 4, 5, 6, 7, 8, 9])],
  'an operation that there is not': ['unreachable', (id) => Buffer.from([0x30, 0x05, 0x02, 0x01, id, 0x7e, 0x00])],
  noise: ['too_slow', () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  'no entry': ['credentials_wrong', (id) => success(id, BIND), (id) => success(id, SEARCH)],
  'the answer to a bind instead of the end of a search': ['unreachable', (id) => success(id, BIND)],
}

suite('a server that an LDAP provider names', () => {
  let world: ProviderWorld
  before(async () => {
    world = await openProviderWorld({ timeoutMilliseconds: 2000 })
  })
  after(() => world.dispose())

  const listen = async (t: TestContext, serve: (socket: Socket) => void): Promise<number> => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      serve(socket)
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const check = (port: number, startTls: boolean) =>
    checkDirectory(world.app, {
      connection: {
        ...({
          protocol: 'ldap',
          servers: [`ldap://127.0.0.1:${port}`],
          startTls,
          baseDn: 'dc=x',
          userBase: '',
        } as const),
        ...{ bindDn: 'cn=x', userObjectClasses: ['person'], userFilters: ['uid'], timeoutMs: 60_000, attributes: {} },
      },
      ...{ bindPassword: 'x', userName: 'ada', password: 'x' },
    })

  for (const [name, [reason, ...answers]] of Object.entries(HOSTILE)) {
    test(`ends nothing but the sign-in with ${name}`, async (t) => {
      const port = await listen(t, (socket) => {
        let asked = 0
        socket.on('data', (request: Buffer) =>
          socket.write(answers[Math.min(asked++, answers.length - 1)]?.(idOf(request)) ?? ''),
        )
      })
      await assert.rejects(check(port, false), { reason })
    })
  }

  test('is asked nothing when somebody put words into its mouth before the connection is encrypted', async (t) => {
    // The beginning of the answer to the bind, which what comes encrypted would complete.
    const begun = Buffer.from([0x30, 0x2c, 0x02, 0x01, 0x02, 0x61, 0x27, 0x0a, 0x01, 0x00, 0x04, 0x00, 0x04, 0x20])
    for (const injected of [begun, success(3, BIND), Buffer.from([0x30])]) {
      let after = 0
      const port = await listen(t, (socket) => {
        socket.once('data', (request: Buffer) => {
          socket.on('data', (chunk) => {
            after += chunk.length
          })
          socket.write(Buffer.concat([success(idOf(request), START_TLS), injected]))
        })
      })
      await assert.rejects(check(port, true), { reason: 'provider_error' })
      assert.equal(after, 0)
    }
  })

  test('is given a part of the time that is left, however many there are', () => {
    for (const [timeoutMs, servers] of [
      [60_000, 20],
      [10_000, 2],
      [200, 3],
    ] as const) {
      let left = 20_000
      for (let rest: number = servers; rest > 0; rest--) left -= partOf(timeoutMs, left, rest)
      assert.ok(left >= 0, `${servers} servers`)
    }
    assert.equal(partOf(10_000, 20_000, 1), 10_000)
  })
})

test('the length of a message is read in each of its forms', () => {
  assert.equal(lengthOfMessage(success(1, BIND)), 14)
  assert.equal(lengthOfMessage(Buffer.from([0x30, 0x81, 0x80])), 131)
  assert.equal(lengthOfMessage(Buffer.from([0x30, 0x84, 0, 0, 1, 0])), 262)
  for (const bytes of [[], [0x31, 0x01], [0x30, 0x80], [0x30, 0x85, 1, 1, 1, 1, 1]]) {
    assert.equal(lengthOfMessage(Buffer.from(bytes)), undefined)
  }
})
