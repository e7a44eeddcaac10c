import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isEmailAddress, wireAddress } from './email-address.ts'

const local64 = 'a'.repeat(64)

suite('e-mail addresses', () => {
  test('ordinary ones are taken as they are', () => {
    for (const address of [
      'mini@mouse.com',
      "o'brien+tag@sub.example.co.uk",
      'root@localhost',
      `${local64}@example.org`,
      'a@xn--bcher-kva.example',
      'Upper@example.org',
    ]) {
      assert.equal(wireAddress(address), address)
    }
  })

  test('an internationalized domain goes over the wire in ASCII', () => {
    assert.equal(wireAddress('a@Bücher.example'), 'a@xn--bcher-kva.example')
  })

  test('whatever two readers could read differently is refused', () => {
    for (const text of [
      '',
      '@',
      'a',
      'a@',
      '@b.example',
      'a@b@c.example',
      'a b@c.example',
      '"a"@c.example',
      '"a@b"@c.example',
      'a@b.example,c@d.example',
      'a@b.example;c@d.example',
      'a@b.example ',
      ' a@b.example',
      'a@b.example\r\nRCPT TO:<x@y.example>',
      'a\0@b.example',
      'a@b.example\0',
      'a@b\u2028.example',
      'a＠b.example',
      'ａ@b.example',
      'é@b.example',
      'a(comment)@b.example',
      'a@(comment)b.example',
      'Name <a@b.example>',
      '<a@b.example>',
      'group:a@b.example;',
      'a@[127.0.0.1]',
      'a@127.0.0.1',
      'a@[IPv6:::1]',
      'a@2130706433',
      '.a@b.example',
      'a.@b.example',
      'a..b@b.example',
      'a@b..example',
      'a@.example',
      'a@example.',
      'a@-b.example',
      'a@b-.example',
      'a@b_c.example',
      'a@b.example/x',
      'a@b.example?x',
      'a@b%2eexample',
      'a@\ud800.example',
      `a${local64}@example.org`,
      `a@${'b'.repeat(64)}.example`,
      `${local64}@${'bcd.'.repeat(50)}example`,
    ]) {
      assert.equal(isEmailAddress(text), false, JSON.stringify(text))
    }
  })
})
