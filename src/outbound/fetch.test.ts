import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { suite, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { selfSigned } from '../../test/faults/hostile-support.ts'
import { openCanary } from '../../test/support/canary.ts'
import { OutboundFailed, type OutboundProblem, openGuardedFetch } from './fetch.ts'
import type { Resolve } from './lookup.ts'

function answering(...addresses: readonly (readonly string[])[]): Resolve & { readonly asked: () => number } {
  // Each lookup gets the next answer; the last one stays.
  return (() => {
    let asked = 0
    const resolve: Resolve = (_, done) => {
      const now = addresses[Math.min(asked++, addresses.length - 1)] ?? []
      done(
        null,
        now.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }
    return Object.assign(resolve, { asked: () => asked })
  })() as Resolve & { readonly asked: () => number }
}

function fails(promise: Promise<unknown>, problem: OutboundProblem) {
  return assert.rejects(promise, (error) => {
    assert.ok(error instanceof OutboundFailed, String(error))
    assert.equal(error.problem, problem)
    return true
  })
}

async function openServer(
  t: TestContext,
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  tls?: { key: Buffer; cert: Buffer },
): Promise<string> {
  const server = tls === undefined ? createServer(serve) : createSecure(tls, serve)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`
}

suite('fetching from an address that somebody else chose', () => {
  test('not a byte reaches this machine, however its address is written and whatever a name resolves to', async (t) => {
    const canaries = [await openCanary(), await openCanary('::1').catch(() => undefined)].filter(
      (one) => one !== undefined,
    )
    t.after(() => {
      for (const canary of canaries) canary.close()
    })
    const spelled = [
      ...[
        '127.0.0.1',
        '127.1',
        '127.0.0.1.',
        '0177.1',
        '0177.0.0.01',
        '0x7f000001',
        '0x7f.1',
        '2130706433',
        '0',
        '0.0.0.0',
      ],
      ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '[::127.0.0.1]'],
      ...[
        '[64:ff9b::7f00:1]',
        '[2002:7f00:1::]',
        'a@127.0.0.1',
        'a:b@127.0.0.1',
        '１２７.０.０.１',
        '①②⑦.⓪.⓪.①',
        '127。0。0。1',
      ],
      ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost'],
    ]
    const fetch = openGuardedFetch({ allowsPrivate: false, timeoutMilliseconds: 2000 })
    for (const { port } of canaries) {
      for (const host of spelled) {
        for (const scheme of ['http', 'https']) {
          await assert.rejects(fetch(`${scheme}://${host}:${port}/`), OutboundFailed, `${scheme}://${host}`)
        }
      }
      const resolved = [
        ['127.0.0.1'],
        ['::1'],
        ['::ffff:127.0.0.1'],
        ['::ffff:7f00:1'],
        ['1.1.1.1', '127.0.0.1'],
        ['2606:4700::1', '::1'],
        ['0.0.0.0'],
        [],
      ]
      for (const addresses of resolved) {
        const guarded = openGuardedFetch({ allowsPrivate: false, resolve: answering(addresses) })
        await fails(guarded(`https://rebound.example:${port}/`), 'address_forbidden')
      }
    }
    assert.deepEqual(
      canaries.map((canary) => canary.connections()),
      canaries.map(() => 0),
    )
    // The canary sings when it is reached.
    const [first] = canaries
    assert.ok(first)
    await fails(openGuardedFetch({ allowsPrivate: true })(`http://127.0.0.1:${first.port}/`), 'unreachable')
    assert.equal(first.connections(), 1)
  })

  test('what was looked up and allowed is what is connected to: nothing is looked up twice', async (t) => {
    const origin = await openServer(t, (_, response) => response.end('here'))
    const canary = await openCanary('127.0.0.9')
    t.after(() => canary.close())
    const resolve = answering(['127.0.0.1'], ['169.254.169.254'], ['127.0.0.9'])
    const fetch = openGuardedFetch({ allowsPrivate: true, resolve })
    const url = origin.replace('127.0.0.1', 'rebound.example')
    assert.equal(await (await fetch(url)).text(), 'here')
    assert.equal(resolve.asked(), 1)
    await fails(fetch(url), 'address_forbidden')
    assert.equal(canary.connections(), 0)
  })

  test('where private addresses are allowed, link-local ones and those of metadata services are not', async () => {
    const fetch = openGuardedFetch({ allowsPrivate: true, timeoutMilliseconds: 500 })
    const never = [
      '169.254.169.254',
      '[fe80::1]',
      '100.100.100.200',
      '[fd00:ec2::254]',
      '[::ffff:a9fe:a9fe]',
      '0.0.0.0',
    ]
    for (const host of never) await fails(fetch(`http://${host}/latest/meta-data`), 'address_forbidden')
    for (const address of ['169.254.169.254', 'fe80::1', 'fd00:ec2::254', '::ffff:169.254.169.254']) {
      const guarded = openGuardedFetch({ allowsPrivate: true, resolve: answering([address]) })
      await fails(guarded('http://metadata.example/'), 'address_forbidden')
    }
  })

  test('nothing crosses the internet in clear', async () => {
    for (const allowsPrivate of [true, false]) {
      const fetch = openGuardedFetch({ allowsPrivate, resolve: answering(['1.1.1.1']) })
      await fails(fetch('http://provider.example/'), 'address_forbidden')
      await fails(fetch('http://1.1.1.1/'), 'address_forbidden')
      for (const url of ['ftp://provider.example/', 'file:///etc/passwd', 'data:,x', 'nonsense', '']) {
        await fails(fetch(url), 'address_forbidden')
      }
    }
  })

  test('a redirect is checked as the first address was, and there are five of them at most', async (t) => {
    const tls = selfSigned()
    const canary = await openCanary()
    t.after(() => canary.close())
    let target = ''
    const secure = await openServer(t, (_, response) => response.writeHead(302, { location: target }).end(), tls)
    const fetch = openGuardedFetch({ allowsPrivate: true, ca: tls.cert.toString() })
    const forbidden = [
      `http://127.0.0.1:${canary.port}/`,
      `http://localhost:${canary.port}/`,
      `https://a@127.0.0.1:${canary.port}/`,
      'https://169.254.169.254/',
      'https://[::ffff:7f00:1]/',
      'ftp://127.0.0.1/',
    ]
    for (target of forbidden) await fails(fetch(secure, { followsRedirects: true }), 'address_forbidden')
    assert.equal(canary.connections(), 0)
    target = '/again'
    await fails(fetch(secure, { followsRedirects: true }), 'too_many_redirects')

    let hops = 0
    const plain = await openServer(t, (_, response) => {
      if (hops-- > 0) response.writeHead(307, { location: '/next' }).end()
      else response.end('arrived')
    })
    hops = 5
    assert.equal(await (await fetch(plain, { followsRedirects: true })).text(), 'arrived')
    hops = 6
    await fails(fetch(plain, { followsRedirects: true }), 'too_many_redirects')
    hops = 1
    assert.equal((await fetch(plain)).status, 307)
    hops = 1
    assert.equal((await fetch(plain, { followsRedirects: true, method: 'POST', body: 'secret' })).status, 307)
  })

  test('what proves who we are is not carried to another origin', async (t) => {
    const seen: (string | undefined)[] = []
    const other = await openServer(t, ({ headers }, response) => {
      seen.push(headers.authorization)
      response.end()
    })
    const origin = await openServer(t, ({ url, headers }, response) => {
      seen.push(headers.authorization)
      response.writeHead(302, { location: url === '/' ? '/own' : `${other}/` }).end()
    })
    const fetch = openGuardedFetch({ allowsPrivate: true })
    await fetch(`${origin}/`, { followsRedirects: true, headers: { authorization: 'Bearer x' } })
    assert.deepEqual(seen, ['Bearer x', 'Bearer x', undefined])
  })

  test('an answer may be so long and take so long, and no more', async (t) => {
    const drips = new Set<NodeJS.Timeout>()
    t.after(() => {
      for (const drip of drips) clearInterval(drip)
    })
    const origin = await openServer(t, ({ url }, response) => {
      if (url === '/long') response.end(Buffer.alloc(1001))
      if (url === '/whole') response.end(Buffer.alloc(1000))
      if (url === '/packed')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)))
      if (url === '/slow') drips.add(setInterval(() => response.write(' '), 10))
      if (url === '/broken') response.writeHead(200, { 'content-length': '10' }).write('x', () => response.destroy())
      if (url === '/empty') response.writeHead(204).end()
    })
    const fetch = openGuardedFetch({ allowsPrivate: true, mostBytes: 1000, timeoutMilliseconds: 300 })
    assert.equal((await (await fetch(`${origin}/whole`)).arrayBuffer()).byteLength, 1000)
    assert.equal((await fetch(`${origin}/empty`)).status, 204)
    await fails(fetch(`${origin}/long`), 'too_large')
    await fails(fetch(`${origin}/whole`, { mostBytes: 999 }), 'too_large')
    await fails(fetch(`${origin}/packed`), 'encoded')
    await fails(fetch(`${origin}/slow`), 'too_slow')
    await fails(fetch(`${origin}/silent`), 'too_slow')
    await fails(fetch(`${origin}/broken`), 'unreachable')
    for (const path of ['long', 'packed', 'slow', 'broken']) {
      const response = await fetch(`${origin}/${path}`, { reads: 'status' })
      assert.deepEqual([response.status, await response.text()], [200, ''], path)
    }
    await fails(fetch(`${origin}/silent`, { signal: AbortSignal.timeout(20) }), 'too_slow')
    await fails(fetch(`${origin}/whole`, { signal: AbortSignal.abort() }), 'too_slow')
  })
})
