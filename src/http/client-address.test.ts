import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openClientAddress } from './client-address.ts'

function clientOf(trusted: readonly string[], peer: string, headers: Readonly<Record<string, string>> = {}): string {
  return openClientAddress(trusted)(peer, (name) => headers[name])
}

const PROXIES = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']

suite('the address of a client', () => {
  test('is that of the connection, whatever the headers say, where no proxy is trusted', () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' }
    assert.equal(clientOf([], '198.51.100.1', headers), '198.51.100.1')
    assert.equal(clientOf(PROXIES, '198.51.100.1', headers), '198.51.100.1')
    assert.equal(clientOf([], '::ffff:198.51.100.1'), '198.51.100.1')
  })

  test('is what a trusted proxy names', () => {
    assert.equal(clientOf(PROXIES, '10.1.2.3', { 'x-forwarded-for': '203.0.113.9' }), '203.0.113.9')
    assert.equal(clientOf(PROXIES, '::ffff:10.1.2.3', { 'x-forwarded-for': '203.0.113.9:4711' }), '203.0.113.9')
    assert.equal(clientOf(PROXIES, 'fd00::1', { forwarded: 'For="[2001:db8::17]:4711";proto=https' }), '2001:db8::17')
    assert.equal(
      clientOf(PROXIES, '192.0.2.7', { forwarded: 'proto=https;for=203.0.113.9;by=10.0.0.1' }),
      '203.0.113.9',
    )
  })

  test('is the first one from the right that is not trusted: a client can write what it likes before it', () => {
    const spoofed = { 'x-forwarded-for': '1.1.1.1, 203.0.113.9, 10.9.9.9' }
    assert.equal(clientOf(PROXIES, '10.1.2.3', spoofed), '203.0.113.9')
    assert.equal(
      clientOf(PROXIES, '10.1.2.3', { forwarded: 'for=1.1.1.1, for=203.0.113.9, for=10.9.9.9' }),
      '203.0.113.9',
    )
  })

  test('ends at what is no address', () => {
    for (const odd of ['unknown', '_hidden', '', 'a, b', '203.0.113.9, unknown']) {
      assert.equal(clientOf(PROXIES, '10.1.2.3', { 'x-forwarded-for': odd }), '10.1.2.3', odd)
    }
    assert.equal(clientOf(PROXIES, '10.1.2.3', { forwarded: 'for=unknown' }), '10.1.2.3')
    assert.equal(clientOf(PROXIES, '', { 'x-forwarded-for': '203.0.113.9' }), '')
  })
})
