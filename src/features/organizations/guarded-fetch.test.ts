import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { suite, test } from 'node:test'
import { guardedLookup } from '../../access/outbound.ts'
import { isPublicAddress, isPublicOrOwnAddress } from '../../kernel/network-address.ts'
import { fetchText } from './guarded-fetch.ts'

const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
  '0177.1',
  '2130706433',
]

suite('fetching from an address somebody else chose', () => {
  test('only the public internet counts as public', () => {
    for (const address of PRIVATE) assert.equal(isPublicAddress(address), false, address)
    for (const address of ['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1', '2a00::1']) {
      assert.equal(isPublicAddress(address), true, address)
    }
  })

  test('a name with one private address among public ones is not looked up', async () => {
    const lookup = guardedLookup(isPublicAddress, (_, done) =>
      done(null, [
        { address: '1.1.1.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]),
    )
    const error = await new Promise((settle) => lookup('mixed.example', { all: true }, settle))
    assert.ok(error instanceof Error)
  })

  test('not a byte reaches a listener on this machine, whatever the name resolves to and however it is spelled', async (t) => {
    let connections = 0
    const canary = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((ready) => canary.listen(0, '127.0.0.1', ready))
    t.after(() => canary.close())
    const address = canary.address()
    const port = typeof address === 'object' && address !== null ? address.port : assert.fail('no port')
    const options = {
      signal: new AbortController().signal,
      mostBytes: 100,
      timeoutMs: 2000,
      resolve: (_: string, done: (error: null, addresses: { address: string; family: number }[]) => void) =>
        done(null, [{ address: '127.0.0.1', family: 4 }]),
    }
    const spellings = [
      'rebound.example',
      '127.0.0.1',
      '0177.1',
      '2130706433',
      '[::ffff:7f00:1]',
      'a@127.0.0.1',
      '127.1',
      '[::1]',
    ]
    for (const host of spellings) {
      assert.equal(await fetchText(new URL(`https://${host}:${port}/x`), options), undefined, host)
    }
    assert.equal(await fetchText(new URL(`http://rebound.example:${port}/x`), options), undefined)
    assert.equal(connections, 0)
    // It does when the operator says so, and never by http.
    await fetchText(new URL(`http://rebound.example:${port}/x`), { ...options, isAllowed: isPublicOrOwnAddress })
    assert.equal(connections, 0)
    await fetchText(new URL(`https://rebound.example:${port}/x`), { ...options, isAllowed: isPublicOrOwnAddress })
    assert.equal(connections, 1)
  })
})
