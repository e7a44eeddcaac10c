/** Targets that are dead, slow, endless or want to reach something: their own callers fail, and nobody else notices. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type ActionWorld, openActionWorld } from '../../../test/support/action-world.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { openGuardedFetch } from '../../outbound/fetch.ts'
import type { Resolve } from '../../outbound/lookup.ts'
import { MOST_FAILURES } from '../targets/gate.ts'

const GET_TARGET = '/zitadel.action.v2.ActionService/GetTarget'

/** Writes until the other side has had enough. */
function endlessly(response: ServerResponse, chunk: string): ServerResponse {
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', write).on('error', () => {})
  write()
  return response
}

/** Answers in HTTP, at least in their own opinion. */
const OVER_HTTP: readonly (readonly [what: string, problem: RegExp, answer: (response: ServerResponse) => unknown])[] =
  [
    ['never answers', /did not answer in time/, (response) => response],
    [
      'sends headers and nothing else',
      /did not answer in time/,
      (response) => {
        response.writeHead(200).flushHeaders()
        return response
      },
    ],
    [
      'stops in the middle',
      /did not answer in time/,
      (response) => {
        response.write('{"id":')
        return response
      },
    ],
    [
      'closes in the middle',
      /could not be reached/,
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"id":')
        setImmediate(() => response.destroy())
        return response
      },
    ],
    ['never ends', /more than is allowed/, (response) => endlessly(response, ' '.repeat(65_536))],
    [
      'announces more than is allowed',
      /could not be reached|in time|more than/,
      (response) => {
        response.writeHead(200, { 'content-length': '99999999999' }).write('{')
        return response
      },
    ],
    [
      'compresses a bomb',
      /content coding/,
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000))),
    ],
    [
      'redirects to this machine',
      /status 302/,
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    [
      'redirects to metadata of a cloud',
      /status 307/,
      (response) => response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    ],
    ['redirects to itself', /status 301/, (response) => response.writeHead(301, { location: '/' }).end()],
    [
      'answers with 100 levels too many',
      /cannot be used/,
      (response) => response.end('['.repeat(5_000) + ']'.repeat(5_000)),
    ],
    ['answers with half a character', /cannot be used/, (response) => response.end('{"id":"\\ud800"}')],
    ['answers with a NUL', /cannot be used/, (response) => response.end('{"id":"a\\u0000b"}')],
    ['answers with a prototype', /cannot be used/, (response) => response.end('{"__proto__":{"id":"a"}}')],
    ['answers with a list of members', /cannot be used/, (response) => response.end('[["id","a"]]')],
    ['answers with HTML', /cannot be used/, (response) => response.end('<!doctype html>')],
  ]

/** Says this much and leaves the connection open. */
const OVER_TCP: readonly (readonly [what: string, said: string])[] = [
  ['speaks another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ['has a header without an end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}`],
  ['has two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 20\r\n\r\n{}'],
  ['has a status of its own', 'HTTP/1.1 9999 Fine\r\n\r\n'],
  ['says nothing', ''],
]

async function openRaw(t: TestContext, said: string): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.write(said)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterwards(t, () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

for (const engine of engines) {
  suite(`hostile targets on ${engine.name}`, () => {
    const failure = async ({ addTarget, setExecution, rest }: ActionWorld, endpoint: string, timeout = '20s') => {
      const id = await addTarget(endpoint, { name: endpoint, timeout })
      await setExecution({ request: { method: GET_TARGET } }, [id])
      const answer = await rest('GET', `/v2/actions/targets/${id}`)
      assert.ok(answer.status === 400 || answer.status === 500, JSON.stringify(answer.body))
      return String(answer.body.message)
    }

    test('fail within their timeout, and say why to administrators', async (t) => {
      const world = await openActionWorld(engine)
      afterwards(t, () => world.dispose())
      for (const [what, problem, answer] of OVER_HTTP) {
        const endpoint = world.receiver.on(`/${encodeURIComponent(what)}`, (_, response) => {
          answer(response)
          return response
        })
        // Only those that say nothing more are cut off by the time: a busy machine is slow, too.
        const timeout = problem.source.includes('in time') ? '0.3s' : '20s'
        assert.match(await failure(world, endpoint, timeout), problem, what)
      }
      for (const [what, said] of OVER_TCP) {
        assert.match(await failure(world, await openRaw(t, said), '0.3s'), /could not be reached|in time/, what)
      }
      assert.match(
        await failure(world, 'http://127.0.0.1:1/hook?key=hush'),
        /could not be reached at http:\/\/127\.0\.0\.1:1\/hook \(the connection was refused\)\.$/,
      )
      const plain = world.receiver.url.replace('http:', 'https:')
      assert.match(await failure(world, `${plain}/`), /could not be reached at https:\S+ \(TLS failed: [A-Z_]+\)\.$/)
      assert.deepEqual(world.faults, [])
      assert.ok(world.receiver.calls.every(({ path }) => path !== '/'))
    })

    test('cannot be names of addresses inside', async (t) => {
      const inside = [
        '127.0.0.1',
        '10.1.2.3',
        '169.254.169.254',
        '192.168.1.1',
        '::1',
        'fd00::1',
        '0.0.0.0',
        '::ffff:127.0.0.1',
      ]
      let address = ''
      const resolve: Resolve = (_, done) => done(null, [{ address, family: address.includes(':') ? 6 : 4 }])
      const fetchOutside = openGuardedFetch({ allowsPrivate: false, resolve })
      const world = await openActionWorld(engine, fetchOutside)
      afterwards(t, () => world.dispose())
      for (const one of inside) {
        address = one
        const name = `https://rebound-${inside.indexOf(one)}.example/`
        assert.match(await failure(world, name), /address that is not allowed/, one)
      }
    })

    test('do not hold up calls that they are not set for', async (t) => {
      const world = await openActionWorld(engine)
      afterwards(t, () => world.dispose())
      const held = Promise.withResolvers<void>()
      const id = await world.addTarget(
        world.receiver.on('/held', async () => {
          await held.promise
        }),
        { timeout: '20s' },
      )
      await world.setExecution({ request: { method: GET_TARGET } }, [id])
      let isDone = false
      const waiting = world.rest('GET', `/v2/actions/targets/${id}`).finally(() => {
        isDone = true
      })
      await world.receiver.received(1)
      for (let time = 0; time < 5; time++) {
        assert.equal((await world.rest('POST', '/v2/actions/targets/search', {})).status, 200)
        await world.addPerson(`person-${time}`)
      }
      assert.equal(isDone, false)
      held.resolve()
      assert.equal((await waiting).status, 200)
    })

    test('are not given up because callers go away', async (t) => {
      const world = await openActionWorld(engine)
      afterwards(t, () => world.dispose())
      const held = Promise.withResolvers<void>()
      const id = await world.addTarget(
        world.receiver.on('/held', () => held.promise),
        { timeout: '20s' },
      )
      await world.setExecution({ request: { method: GET_TARGET } }, [id])
      const url = `${world.url}/v2/actions/targets/${id}`
      const headers = { authorization: `Bearer ${world.token}` }
      for (let time = 1; time <= MOST_FAILURES + 2; time++) {
        const leaving = new AbortController()
        const left = assert.rejects(fetch(url, { headers, signal: leaving.signal }))
        await world.receiver.received(time)
        leaving.abort()
        await left
      }
      held.resolve()
      assert.equal((await world.rest('GET', `/v2/actions/targets/${id}`)).status, 200)
    })
  })
}
