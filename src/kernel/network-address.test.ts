import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isPublicAddress, isPublicOrOwnAddress } from './network-address.ts'

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

suite('network addresses', () => {
  test('only the public internet counts as public', () => {
    for (const address of PRIVATE) assert.equal(isPublicAddress(address), false, address)
    for (const address of ['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1', '2a00::1']) {
      assert.equal(isPublicAddress(address), true, address)
    }
  })

  test('the public internet, this machine and private networks may be connected to by an operator', () => {
    for (const address of [
      '1.1.1.1',
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '::1',
      'fd12::1',
      '2a00::1',
    ]) {
      assert.equal(isPublicOrOwnAddress(address), true, address)
    }
  })

  test('link-local addresses, metadata services, multicast and other disguises never', () => {
    for (const address of [
      '169.254.169.254',
      '169.254.0.1',
      '100.100.100.200',
      'fd00:ec2::254',
      'fd20:ce::254',
      'fe80::1',
      '0.0.0.0',
      '::',
      '224.0.0.1',
      '255.255.255.255',
      'ff02::1',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '::ffff:127.0.0.1',
      '0:0:0:0:0:ffff:7f00:1',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::',
      '::7f00:1',
      'localhost',
      '',
    ]) {
      assert.equal(isPublicOrOwnAddress(address), false, address)
    }
  })
})
