import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isPublicOrOwnAddress } from './network-address.ts'

suite('network addresses', () => {
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
