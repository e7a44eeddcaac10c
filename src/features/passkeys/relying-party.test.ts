import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isExpectedOrigin, relatedOrigins, relyingPartyAt, rpIdFor } from './relying-party.ts'

suite('the relying party', () => {
  const open = relyingPartyAt('http://localhost:8080', undefined)
  const set = relyingPartyAt('https://id.example.com', [
    'https://id.example.com',
    'https://login.example.org:8443',
    'android:apk-key-hash:AAAA',
  ])

  test('takes any domain until its address is set, and nothing that is no domain', () => {
    assert.equal(rpIdFor(open, ''), 'localhost')
    for (const domain of ['example.com', 'a.b.example', 'localhost']) assert.equal(rpIdFor(open, domain), domain)
    assert.equal(rpIdFor(open, 'Bücher.Example'), 'xn--bcher-kva.example')
    const wrong = [
      '127.0.0.1',
      '::1',
      'https://example.com',
      'example.com:8080',
      'a/b',
      'a b',
      '.com',
      'a..b',
      'a@b',
      '-a.b',
    ]
    for (const text of [...wrong, `${'a'.repeat(64)}.example`, '\ud800', 'example.com.']) {
      assert.equal(rpIdFor(open, text), undefined, text)
    }
  })

  test('takes only its own domains and those above them when its address is set', () => {
    assert.equal(rpIdFor(set, ''), 'id.example.com')
    for (const domain of ['id.example.com', 'example.com', 'login.example.org', 'example.org']) {
      assert.equal(rpIdFor(set, domain), domain)
    }
    for (const domain of ['com', 'org', 'other.example.com', 'ample.com', 'localhost', 'a.id.example.com']) {
      assert.equal(rpIdFor(set, domain), undefined, domain)
    }
    assert.equal(rpIdFor(relyingPartyAt('https://127.0.0.1', ['https://127.0.0.1']), ''), undefined)
  })

  test('is asked by pages of the list alone when its address is set', () => {
    for (const origin of set.origins ?? []) assert.ok(isExpectedOrigin(set, 'example.com', origin))
    for (const origin of ['https://example.com', 'https://login.example.org', 'http://id.example.com', 'null', '']) {
      assert.equal(isExpectedOrigin(set, 'example.com', origin), false, origin)
    }
  })

  test('is asked by pages of the domain until then, over TLS or from localhost', () => {
    for (const origin of ['https://example.com', 'https://a.example.com', 'https://example.com:8443']) {
      assert.ok(isExpectedOrigin(open, 'example.com', origin), origin)
    }
    for (const origin of ['http://localhost', 'http://localhost:8080', 'https://localhost:8080']) {
      assert.ok(isExpectedOrigin(open, 'localhost', origin), origin)
    }
    for (const origin of [
      'http://example.com',
      'https://example.org',
      'https://notexample.com',
      'https://example.com/',
      'https://EXAMPLE.com',
      'https://example.com:443',
      'http://localhost',
      'null',
    ]) {
      assert.equal(isExpectedOrigin(open, 'example.com', origin), false, origin)
    }
    assert.equal(isExpectedOrigin(open, 'localhost', 'http://a.localhost'), false)
  })

  test('names its pages, and no apps, to other domains', () => {
    assert.deepEqual(relatedOrigins({ config: { passkeyOrigins: set.origins } }), [
      'https://id.example.com',
      'https://login.example.org:8443',
    ])
    assert.deepEqual(relatedOrigins({ config: { passkeyOrigins: open.origins } }), [])
  })
})
