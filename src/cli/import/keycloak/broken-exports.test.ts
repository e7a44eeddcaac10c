import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { folderWith, user } from '../../../../test/support/foreign-exports.ts'
import { CannotImport } from '../import.ts'
import { openKeycloak } from './source.ts'

suite('an export that cannot be read', () => {
  const REALM = { id: 'realm-1', realm: 'r' }
  const CASES: readonly (readonly [what: string, files: Readonly<Record<string, unknown>>, expected: RegExp])[] = [
    ['no realm', { 'x.json': {} }, /contains no file …-realm\.json/],
    ['two realms', { 'a-realm.json': REALM, 'b-realm.json': REALM }, /several realms \(a, b\).*--realm/],
    ['a list', { 'r-realm.json': [REALM] }, /r-realm\.json is a list/],
    ['another object', { 'r-realm.json': { a: 1 } }, /no member “realm”/],
    ['nothing', { 'r-realm.json': '' }, /r-realm\.json is empty/],
    ['no JSON', { 'r-realm.json': '<xml>' }, /r-realm\.json is not a JSON object/],
    [
      'half a file',
      { 'r-realm.json': '{"realm":"r","users":[{"id":"1","username":"a"},{"id":"2",' },
      /r-realm\.json is not complete.*users\[1\]/,
    ],
    [
      'half a chunk',
      { 'r-realm.json': REALM, 'r-users-0.json': '{"realm":"r","users":[{"id"' },
      /r-users-0\.json is not complete.*users\[0\]/,
    ],
    [
      'a missing chunk',
      { 'r-realm.json': REALM, 'r-users-1.json': { realm: 'r', users: [] } },
      /r-users-0\.json is missing/,
    ],
    [
      'a chunk of another realm',
      { 'r-realm.json': REALM, 'r-users-0.json': { realm: 'q', users: [] } },
      /belongs to the realm “q”/,
    ],
    ['users that are no list', { 'r-realm.json': { ...REALM, users: {} } }, /users must be a list/],
    [
      'a user without a name',
      { 'r-realm.json': { ...REALM, users: [{ id: '1' }] } },
      /r-realm\.json: users\[0\]\.username must be/,
    ],
    ['a user that is a number', { 'r-realm.json': { ...REALM, users: [1] } }, /users\[0\] must be an object/],
    [
      'a flag that is a text',
      { 'r-realm.json': { ...REALM, users: [user('a', { enabled: 'yes' })] } },
      /users\[0\]\.enabled must be true or false/,
    ],
    [
      'clients that are no list',
      { 'r-realm.json': { ...REALM, clients: {} } },
      /r-realm\.json: clients must be a list/,
    ],
    [
      'a group nobody knows',
      { 'r-realm.json': { ...REALM, users: [user('a', { groups: ['/x'] })] } },
      /users\[0\]\.groups.*\/x/,
    ],
    [
      'a credential that is no JSON',
      {
        'r-realm.json': {
          ...REALM,
          users: [user('a', { credentials: [{ id: '1', type: 'password', secretData: 'hunter2' }] })],
        },
      },
      /users\[0\]\.credentials\[0\]\.secretData must be a text that contains JSON/,
    ],
  ]

  for (const [what, files, expected] of CASES)
    test(`is refused before anything is written: ${what}`, async () => {
      const path = await folderWith(files)
      await assert.rejects(openKeycloak({ path, target: 'organization' }), (error: unknown) => {
        assert.ok(error instanceof CannotImport)
        assert.match(error.message, expected)
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      })
    })
})
