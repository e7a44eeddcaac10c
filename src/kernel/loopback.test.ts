import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { suite, test } from 'node:test'
import { isLoopbackAddress, isLoopbackHost, LOOPBACK_NETWORKS } from './loopback.ts'

suite('this machine', () => {
  test('has the name localhost, every name below it, and the addresses of the standards', () => {
    const hosts = ['localhost', 'LOCALHOST', 'app.localhost', 'a.b.localhost', '127.0.0.1', '127.255.3.4', '[::1]']
    for (const host of hosts) assert.ok(isLoopbackHost(host), host)
    for (const text of ['http://127.1/', 'http://0x7f.1:8080/', 'http://[0:0::1]/', 'http://App.LocalHost/']) {
      assert.ok(isLoopbackHost(new URL(text).hostname), text)
    }
  })

  test('has no name that only looks like it, and no other address', () => {
    const others = [
      '',
      'localhost.example',
      'notlocalhost',
      '.localhost',
      '127.example',
      '127.0.0.1.example',
      '128.0.0.1',
    ]
    for (const host of [...others, '::1', '[::]', '0.0.0.0', '10.0.0.1']) assert.ok(!isLoopbackHost(host), host)
  })

  test('is known by the address of a connection, also where that is IPv4 in IPv6', () => {
    const networks = new BlockList()
    for (const [net, prefix] of LOOPBACK_NETWORKS) networks.addSubnet(net, prefix, net === '::1' ? 'ipv6' : 'ipv4')
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '128.0.0.1', '126.255.255.255', '::2', '10.0.0.1', '::']) {
      const family = address.includes(':') ? 'ipv6' : 'ipv4'
      assert.equal(isLoopbackAddress(address), networks.check(address, family), address)
    }
    assert.ok(isLoopbackAddress('::ffff:127.0.0.1'))
    for (const address of ['', 'localhost', '::ffff:10.0.0.1', '::ffff:8.8.8.8']) {
      assert.ok(!isLoopbackAddress(address), address)
    }
  })
})
