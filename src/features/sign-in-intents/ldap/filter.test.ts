/** The filter of a search has one shape, whatever was typed, and what a directory says becomes claims. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FilterParser } from 'ldapts'
import type { LdapConnection } from '../../identity-providers/index.ts'
import { accountOf, textOf } from './entry.ts'
import { userFilter } from './filter.ts'

const DIRECTORY = { userObjectClasses: ['person', 'inetOrgPerson'], userFilters: ['uid', 'mail'] }

const TYPED = [
  ...['ada', 'ada@example.com', 'Ada Lovelace', 'Zoë', '山田', '💧', ' ', 'a\u0301'],
  ...['*', 'a*', '**', '(', ')', '\\', '\0', 'a\0b', '&', '|', '!', '=', '~=', '>=', ':=', '\n', '\u007f'],
  ...[
    '*)(uid=*',
    '*)(uid=*))(|(uid=*',
    'ada)(|(objectClass=*',
    'x)(!(uid=y)',
    '*))%00',
    'admin)(&)',
    'ada)(userPassword=*',
  ],
  ...['\\2a', '\\29\\28', '\\5c2a', '\\', 'ada\\', '%2a', '&#42;', 'uid:dn:2.5.13.5:=x', '＊', '﹙', '\u202e*'],
]

suite('the filter that searches a user', () => {
  test('has what was typed as a value only, and as nothing else', () => {
    for (const typed of TYPED) {
      const text = userFilter(DIRECTORY, typed)
      assert.equal(text.split('(').length, 6 + 1, typed)
      const shape = FilterParser.parseString(text) as unknown as {
        filters: ({ attribute: string; value: unknown } & { filters?: { attribute: string; value: unknown }[] })[]
      }
      assert.equal(shape.constructor.name, 'AndFilter')
      assert.deepEqual(
        shape.filters.map((one) => one.constructor.name),
        ['EqualityFilter', 'EqualityFilter', 'OrFilter'],
        typed,
      )
      const names = shape.filters[2]?.filters ?? []
      assert.deepEqual(
        names.map((one) => [one.constructor.name, one.attribute, Buffer.from(one.value as string).toString('utf8')]),
        [
          ['EqualityFilter', 'uid', typed],
          ['EqualityFilter', 'mail', typed],
        ],
        text,
      )
    }
  })
})

suite('an entry of a directory', () => {
  const connection = (attributes: LdapConnection['attributes']) => ({ attributes }) as LdapConnection
  const entry = (attributes: Readonly<Record<string, readonly string[]>>) => ({
    dn: 'uid=ada,dc=example,dc=com',
    attributes: new Map(
      Object.entries(attributes).map(([name, values]) => [name, values.map((one) => Buffer.from(one))]),
    ),
  })

  test('becomes the claims of an account; an address is verified only if an attribute says so', () => {
    const mapped = connection({ id: 'entryUUID', firstName: 'givenName', email: 'mail', emailVerified: 'mailOk' })
    const found = { entryuuid: ['4711'], givenName: ['Ada'], mail: ['ada@example.com', 'countess@example.com'] }
    assert.deepEqual(accountOf(mapped, entry(found)).claims, {
      sub: '4711',
      given_name: 'Ada',
      email: 'ada@example.com',
      email_verified: false,
    })
    assert.equal(accountOf(mapped, entry({ ...found, mailOk: ['TRUE'] })).claims.email_verified, true)
    assert.equal(accountOf(connection({ email: 'mail' }), entry(found)).claims.email_verified, undefined)
    assert.equal(accountOf(connection({}), entry(found)).subject, 'uid=ada,dc=example,dc=com')
  })

  test('without exactly one valid ID is no account', () => {
    const mapped = connection({ id: 'entryUUID' })
    for (const values of [
      {},
      { entryUUID: [] },
      { entryUUID: ['1', '2'] },
      { entryUUID: [' '] },
      { entryUUID: ['x'.repeat(256)] },
    ]) {
      assert.throws(() => accountOf(mapped, entry(values)), { reason: 'information_invalid' })
    }
  })

  test('has bytes that are no text as Base64', () => {
    assert.equal(textOf(Buffer.from('Zoë')), 'Zoë')
    assert.equal(textOf(Buffer.from([0xff, 0xfe])), '//4=')
    assert.equal(textOf(Buffer.from([1, 2, 3])), 'AQID')
  })
})
