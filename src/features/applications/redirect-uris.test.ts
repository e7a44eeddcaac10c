import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { endingDoubt, isOriginAllowed, isRedirectAllowed, redirectUriProblem, unusedBecause } from './redirect-uris.ts'

const DEVELOPMENT = { applicationType: 'web', developmentMode: true } as const
const PRODUCTION = { applicationType: 'web', developmentMode: false } as const
const NATIVE = { applicationType: 'native', developmentMode: false } as const

/** Pattern, and addresses that it matches. */
const MATCHED: readonly (readonly [pattern: string, ...addresses: readonly string[]])[] = [
  [
    'https://*.example.com/cb',
    'https://a.example.com/cb',
    'https://pr-17.example.com/cb',
    'https://xn--e1a.example.com/cb',
  ],
  ['https://pr-*.example.com/cb', 'https://pr-17.example.com/cb', 'https://pr-a-b.example.com/cb'],
  ['https://pr-*-web.example.com/', 'https://pr-17-web.example.com/', 'https://pr--web.example.com/'],
  ['https://*.*.example.com/', 'https://a.b.example.com/'],
  ['https://*.example.co.uk/', 'https://a.example.co.uk/'],
  ['https://*.me.github.io/', 'https://a.me.github.io/'],
  ['https://app.example.com/*', 'https://app.example.com/cb', 'https://app.example.com/a_b~c-1'],
  ['https://app.example.com/**', 'https://app.example.com/cb'],
  ['https://app.example.com/*/cb', 'https://app.example.com/acme/cb'],
  ['https://app.example.com/v*/t-*-x/cb', 'https://app.example.com/v1/t-acme-x/cb'],
  ['https://app.example.com/*.html?a=b', 'https://app.example.com/cb.html?a=b'],
  ['https://*.example.com:8443/cb', 'https://a.example.com:8443/cb'],
  ['http://localhost:*/cb', 'http://localhost/cb', 'http://localhost:3000/cb'],
  ['http://*.localhost/cb', 'http://app.localhost/cb', 'http://app.localhost:3000/cb'],
  ['http://*.localhost:*/cb', 'http://app.localhost:3000/cb'],
]

/** What each wildcard must not match, whatever an attacker writes. */
const UNMATCHED: readonly (readonly [pattern: string, ...addresses: readonly string[]])[] = [
  [
    'https://*.example.com/cb',
    'https://example.com/cb',
    'https://.example.com/cb',
    'https://a.b.example.com/cb',
    'https://*.example.com/cb',
    'https://evil.test/.example.com/cb',
    'https://evil.test\\.example.com/cb',
    'https://evil.test/\\.example.com/cb',
    'https://evil.test#.example.com/cb',
    'https://evil.test?.example.com/cb',
    'https://evil.test%2f.example.com/cb',
    'https://evil.test%2e.example.com/cb',
    'https://evil.test@a.example.com/cb',
    'https://a.example.com@evil.test/cb',
    'https://a.example.com:443@evil.test/cb',
    'https://a.example.com.evil.test/cb',
    'https://a.example.com./cb',
    'https://a..example.com/cb',
    'https://A.example.com/cb',
    'https://a.EXAMPLE.com/cb',
    'HTTPS://a.example.com/cb',
    'https://a.example.com:443/cb',
    'https://a.example.com:8443/cb',
    'https://a.example.com:/cb',
    'https://a.example.com/CB',
    'https://a.example.com/cb/',
    'https://a.example.com//cb',
    'https://a.example.com/./cb',
    'https://a.example.com/x/../cb',
    'https://a.example.com/%2e/cb',
    'https://a.example.com/x/%2e%2e/cb',
    'https://a.example.com/%63b',
    'https://a.example.com/cb?x=1',
    'https://a.example.com/cb?',
    'https://a.example.com/cb#',
    'https://a.example.com\\cb',
    'https:/a.example.com/cb',
    'https:a.example.com/cb',
    'https:///a.example.com/cb',
    '//a.example.com/cb',
    'http://a.example.com/cb',
    'https://аpp.example.com/cb',
    'https://a.ехample.com/cb',
    'https://a。example.com/cb',
    'https://a.example.com/cb\n',
    ' https://a.example.com/cb',
    'https://a.example.com/cb\u0000',
    'https://a\u00ad.example.com/cb',
    'https://a\t.example.com/cb',
  ],
  [
    'https://app.example.com/*',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com//',
    'https://app.example.com//evil.test',
    'https://app.example.com/a/b',
    'https://app.example.com/a.b',
    'https://app.example.com/..',
    'https://app.example.com/%2e%2e',
    'https://app.example.com/a%2fb',
    'https://app.example.com/a%5cb',
    'https://app.example.com/a\\b',
    'https://app.example.com/a?x=1',
    'https://app.example.com/a#b',
    'https://app.example.com/a;b',
    'https://app.example.com/a@evil.test',
    'https://app.example.com/*',
    'https://app.example.com:444/a',
    'https://app.example.com.evil.test/a',
  ],
  ['https://app.example.com/**', 'https://app.example.com/a/b'],
  ['https://app.example.com/*/cb', 'https://app.example.com//cb', 'https://app.example.com/cb'],
  ['https://app.example.com/*.html', 'https://app.example.com/a.b.html', 'https://app.example.com/../x.html'],
  ['https://ab*ba.example.com/', 'https://aba.example.com/'],
  [
    'https://*.example.com:8443/',
    'https://a.example.com/',
    'https://a.example.com:84430/',
    'https://a.example.com:443/',
  ],
  // Between a wildcard and the domain, strangers have names of their own.
  ['https://*.*.amazonaws.com/', 'https://stranger.s3.amazonaws.com/'],
  [
    'http://localhost:*/cb',
    'http://localhost.evil.test:3000/cb',
    'http://localhost:3000@evil.test/cb',
    'http://127.0.0.1:3000/cb',
  ],
  ['http://*.localhost/cb', 'http://localhost/cb', 'http://a.b.localhost/cb', 'http://a.localhost.evil.test/cb'],
]

/** Wildcards where none can be, in development mode too. */
const NEVER_REGISTERED = [
  '*',
  '*://app.example.com/',
  'htt*://app.example.com/',
  'http*://app.example.com/',
  'https://*',
  'https://*/',
  'https://*/cb',
  'https://**/cb',
  'https://*.com/cb',
  'https://*.co.uk/cb',
  'https://*.*.co.uk/cb',
  'https://*.github.io/cb',
  'https://pr-*.vercel.app/cb',
  'https://example.*/cb',
  'https://*example.com/cb',
  'https://app.*.com/cb',
  'https://*.internal/cb',
  'https://*.example.com./cb',
  'https://*.EXAMPLE.com/cb',
  'https://*..example.com/cb',
  'https://192.168.0.*/cb',
  'https://*.1.1.1/cb',
  'http://127.0.0.*/cb',
  'http://[::*]/cb',
  'https://app.example.com:*/cb',
  'https://app.example.com:44*/cb',
  'http://localhost:30*/cb',
  'https://*@app.example.com/cb',
  'https://u:*@app.example.com/cb',
  'https://app.example.com/cb?next=*',
  'https://app.example.com?*',
  'https://app.example.com/cb#*',
  'https://app.example.com/a/../*',
  'https://app.example.com/%2e%2e/*',
  'https://app.example.com\\*',
  'com.example.*:/cb',
  'com.example.app://*/cb',
  'com.example.app://a.*.example.com/cb',
]

suite('a redirect URI with wildcards', () => {
  for (const [pattern, ...addresses] of MATCHED) {
    test(`is ${pattern}, and matches ${addresses.join(' ')}`, () => {
      assert.equal(redirectUriProblem(pattern, true), undefined)
      for (const address of addresses) assert.ok(isRedirectAllowed(address, [pattern], DEVELOPMENT), address)
    })

    test(`can be registered and matches in development mode alone: ${pattern}`, () => {
      assert.equal(redirectUriProblem(pattern, false), 'wildcard')
      for (const address of addresses) assert.ok(!isRedirectAllowed(address, [pattern], PRODUCTION), address)
      assert.ok(!isRedirectAllowed(pattern, [pattern], PRODUCTION))
    })
  }

  for (const [pattern, ...addresses] of UNMATCHED) {
    test(`matches nothing else: ${pattern}`, () => {
      for (const address of addresses) assert.ok(!isRedirectAllowed(address, [pattern], DEVELOPMENT), address)
    })
  }

  for (const pattern of NEVER_REGISTERED) {
    test(`is never ${pattern}, and matches nothing where it was stored before`, () => {
      assert.notEqual(redirectUriProblem(pattern, true), undefined)
      for (const address of ['https://evil.test/cb', 'https://a.com/cb', 'https://a.co.uk/cb', pattern]) {
        assert.ok(!isRedirectAllowed(address, [pattern], DEVELOPMENT), address)
      }
    })
  }

  test('takes no time to compare, whatever is written', () => {
    const pattern = `https://app.example.com/${'*a'.repeat(1000)}`
    assert.ok(!isRedirectAllowed(`https://app.example.com/${'a'.repeat(4000)}b`, [pattern], DEVELOPMENT))
  })

  test('has the origins of what it matches', () => {
    const config = {
      ...DEVELOPMENT,
      redirectUris: ['https://*.example.com/cb', 'http://localhost:*/'],
      additionalOrigins: [],
    }
    for (const origin of ['https://a.example.com', 'http://localhost:3000'])
      assert.ok(isOriginAllowed(origin, config), origin)
    for (const origin of ['https://a.b.example.com', 'https://a.example.com:8443', 'https://evil.test', 'null', '']) {
      assert.ok(!isOriginAllowed(origin, config), origin)
    }
    assert.ok(!isOriginAllowed('https://a.example.com', { ...config, developmentMode: false }))
  })
})

suite('a redirect URI on this machine', () => {
  for (const host of ['localhost', 'app.localhost', '127.0.0.1', '127.8.8.8', '[::1]']) {
    test(`has any port for a native application, and is used as it is registered: ${host}`, () => {
      const registered = `http://${host}/cb`
      assert.equal(redirectUriProblem(registered, false), undefined)
      assert.equal(unusedBecause(registered, NATIVE), undefined)
      assert.ok(isRedirectAllowed(registered, [registered], NATIVE))
      assert.ok(isRedirectAllowed(`http://${host}:51004/cb`, [registered], NATIVE))
      assert.ok(isRedirectAllowed(`http://${host}:80/cb`, [`http://${host}:3000/cb`], NATIVE))
      assert.ok(!isRedirectAllowed(`http://${host}:51004/other`, [registered], NATIVE))
      assert.ok(!isRedirectAllowed(`https://${host}:51004/cb`, [registered], NATIVE))
      assert.ok(!isRedirectAllowed(`http://user@${host}:51004/cb`, [registered], NATIVE))
      assert.ok(!isRedirectAllowed(`http://${host}:51004/cb`, [registered], PRODUCTION))
    })
  }

  test('is none that only looks like it', () => {
    for (const host of [
      'localhost.evil.test',
      'app-localhost',
      '127.0.0.1.evil.test',
      '[::2]',
      'localhost.',
      '0.0.0.0',
    ]) {
      const registered = `http://${host}/cb`
      assert.equal(unusedBecause(registered, NATIVE), 'http', host)
      assert.ok(!isRedirectAllowed(registered, [registered], NATIVE), host)
      assert.ok(
        !isRedirectAllowed(`http://${host}:51004/cb`, [registered], { ...NATIVE, applicationType: 'web' }),
        host,
      )
    }
  })
})

test('an address that is registered but never used is named as such', () => {
  const used = (text: string, applicationType: 'web' | 'user_agent' | 'native', developmentMode = false) =>
    unusedBecause(text, { applicationType, developmentMode })
  assert.equal(used('http://app.example.com/', 'web'), undefined)
  assert.equal(used('http://app.example.com/', 'user_agent'), 'http')
  assert.equal(used('http://app.example.com/', 'native'), 'http')
  assert.equal(used('http://app.example.com/', 'native', true), undefined)
  assert.equal(used('http://localhost/', 'user_agent'), undefined)
  assert.equal(used('com.example.app:/cb', 'native'), undefined)
  assert.equal(used('com.example.app:/cb', 'web', true), 'custom')
})

test('each mistake in a redirect URI has a name of its own', () => {
  for (const [text, problem, developmentMode = false] of [
    ['app.example.com/callback', 'scheme_missing'],
    ['/callback', 'scheme_missing'],
    ['localhost', 'scheme_missing'],
    ['https://app.example.com/call back', 'spaces'],
    ['https://a.example/cb https://b.example/cb', 'spaces'],
    ['https://app.example.com\\cb', 'characters'],
    ['https://münchen.example/cb', 'characters'],
    ['https://', 'absolute'],
    ['https:/app.example.com/cb', 'host'],
    ['https:///cb', 'host'],
    ['javascript:alert(1)', 'scheme'],
    ['https://app.example.com/cb#done', 'fragment'],
    ['https://ada:secret@app.example.com/cb', 'credentials'],
    ['https://*.example.com/cb', 'wildcard'],
    ['https://*.com/cb', 'wildcard_place', true],
    ['https://app.example.com/cb', undefined],
  ] as const) {
    assert.equal(redirectUriProblem(text, developmentMode), problem, text)
  }
})

test('a host and a port without a scheme are named as such, and not as a scheme', () => {
  const web = { applicationType: 'web', developmentMode: false } as const
  assert.equal(unusedBecause('localhost:3000/callback', web), 'scheme_missing')
  assert.equal(unusedBecause('app.example.com:8443', { ...web, applicationType: 'user_agent' }), 'scheme_missing')
  assert.equal(unusedBecause('com.example.app:/cb', web), 'custom')
})

test('what is probably pasted with an address is named', () => {
  for (const end of [',', ';', '"', "'", ')', '.', '>', '`'])
    assert.equal(endingDoubt(`https://a.example/cb${end}`), end)
  for (const text of ['https://a.example/cb', 'https://a.example/', 'https://a.example/(x)', 'app:/'])
    assert.equal(endingDoubt(text), undefined, text)
})
