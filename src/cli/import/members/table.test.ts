import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Members } from '../json/members.ts'
import { leadsElsewhere } from './same-server.ts'
import {
  carried,
  carriedOnly,
  countFates,
  decide,
  ignored,
  membersWithoutRule,
  oneOf,
  part,
  reported,
  restricts,
  separate,
  type Table,
} from './table.ts'

const ITEM: Table = { closes: true, members: { id: carried } }
const CONFIG: Table = {
  closes: true,
  members: {
    issuer: carried,
    method: carriedOnly(oneOf(undefined, 'post'), (value) => `The method ${value} has no equivalent.`),
    filter: restricts('It admits some only.'),
  },
}
const PROVIDER: Table = {
  closes: true,
  members: {
    alias: carried,
    storesTokens: reported('Tokens are not stored.'),
    order: ignored('the order of buttons'),
    config: part(CONFIG),
    items: separate(ITEM),
  },
  named: [[/^x-/, ignored('names of anybody')]],
}

const provider = (value: object) => new Members('f.json', 'p[0]', value)

suite('a table of members', () => {
  test('has nothing to say of values that restrict nothing', () => {
    const config = { issuer: 'i', method: 'post', filter: 'false' }
    const found = decide(provider({ alias: 'a', storesTokens: false, order: 3, config, 'x-y': 1 }), PROVIDER)
    assert.deepEqual(found, { closed: [], left: [] })
    for (const filter of [null, '', false, 0, [], {}, ['false'], [''], { a: [] }])
      assert.deepEqual(decide(provider({ config: { filter } }), PROVIDER).closed, [])
  })

  test('closes what restricts, and reports the rest', () => {
    const found = decide(provider({ storesTokens: true, config: { method: 'jwt', filter: ['x'] } }), PROVIDER)
    assert.deepEqual(found.closed, ['The method jwt has no equivalent.', 'It admits some only.'])
    assert.deepEqual(found.left, ['Tokens are not stored.'])
  })

  test('closes for a member that nobody knows, without its value', () => {
    const { closed } = decide(provider({ config: { 'only\n for': 'hunter2', gone: null, empty: '' } }), PROVIDER)
    assert.equal(closed.length, 1)
    assert.match(closed[0] ?? '', /“config\.only for” is not known/)
    const { closed: none, left } = decide(provider({ a: false }), { members: {} })
    assert.deepEqual([none.length, left.length], [0, 1])
    // Names of JavaScript are names like any other.
    assert.equal(decide(provider({ constructor: 'x', toString: 'x' }), PROVIDER).closed.length, 2)
  })

  test('finds the members of a whole file that nobody decided, and counts the others', () => {
    const whole = provider({ 'x-1': 1, y: null, items: [{ id: 1 }, { id: 2, z: 1 }], config: { text: '' } })
    assert.deepEqual([...membersWithoutRule(whole, PROVIDER)], ['y', 'items[].z', 'config.text'])
    assert.deepEqual(countFates(PROVIDER), { carried: 6, reported: 2, ignored: 2 })
    const asked: string[] = []
    const heard = new Members('f.json', '', { a: [{ b: { c: 1 } }] }, (path) => asked.push(path))
    heard.list('a')[0]?.inner('b').raw('c')
    assert.deepEqual(asked, ['a', 'a[].b', 'a[].b.c'])
  })
})

suite('a provider', () => {
  const values = { options: {} as never, scopes: [] }
  test('is carried if it leads where it led', () => {
    assert.equal(leadsElsewhere('https://github.com/login/oauth/authorize', { type: 'github', values }), undefined)
    const own = { type: 'oidc', values: { ...values, issuer: 'https://idp.example/realm' } } as const
    assert.equal(leadsElsewhere('https://idp.example/authorize', own), undefined)
    assert.equal(leadsElsewhere(undefined, own), undefined)
  })

  test('is not carried if it would lead elsewhere', () => {
    const github = { type: 'github', values } as const
    assert.match(
      leadsElsewhere('https://github.corp.example/login', github) ?? '',
      /github\.corp\.example.*github\.com/,
    )
    for (const address of ['not an address', 'https://idp.example:8443/a', 'https://idp.example.evil.example/a'])
      assert.ok(leadsElsewhere(address, { type: 'oidc', values: { ...values, issuer: 'https://idp.example' } }))
    assert.ok(leadsElsewhere('https://idp.example', { type: 'oidc', values }))
  })
})
