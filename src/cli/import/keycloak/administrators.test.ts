import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readRealm, user } from '../../../../test/support/foreign-exports.ts'

suite('rights to administer a realm', () => {
  const VIEWS = ['view-realm', 'view-users', 'view-clients', 'view-identity-providers']
  const CASES: readonly (readonly [what: string, held: readonly string[], roles: readonly string[], left: RegExp])[] = [
    ['manage-realm alone', ['manage-realm'], [], /manage-realm/],
    ['manage-realm with providers', ['manage-realm', 'manage-identity-providers'], [], /manage-identity-providers/],
    [
      'manage-realm with providers and view-users',
      ['manage-realm', 'manage-identity-providers', 'view-users'],
      ['ORG_SETTINGS_MANAGER'],
      /^$/,
    ],
    ['view-realm alone', ['view-realm'], [], /view-realm/],
    ['view-realm with view-users', ['view-realm', 'view-users'], [], /view-realm, view-users/],
    ['all views', VIEWS, ['ORG_OWNER_VIEWER'], /^$/],
    [
      'manage-users with more',
      ['manage-users', 'manage-clients', 'impersonation', 'view-users', 'query-users'],
      ['ORG_USER_MANAGER'],
      /impersonation, manage-clients have/,
    ],
    ['a right that nobody knows', ['manage-everything'], [], /manage-everything/],
    ['realm-admin with more', ['realm-admin', 'manage-users', 'impersonation'], ['ORG_OWNER'], /^$/],
  ]
  for (const [what, held, roles, left] of CASES)
    test(`KC8, KC9, KC30: ${what}: nothing is rounded up`, async () => {
      for (const target of ['organization', 'instance'] as const) {
        const users = [user('anna', { clientRoles: { 'realm-management': held } })]
        const drafts = await readRealm({ users }, { target })
        const found = drafts.of('administrator').flatMap((one) => one.roles)
        const isInstance = target === 'instance' && held.includes('realm-admin')
        assert.deepEqual(found, isInstance ? ['IAM_OWNER'] : roles)
        const about = drafts
          .reasons('anna')
          .split('\n')
          .filter((line) => line.startsWith('The rights'))
        assert.match(about.join('\n'), left)
      }
    })
})
