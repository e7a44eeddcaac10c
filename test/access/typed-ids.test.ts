/** What the compiler knows of IDs. These lines do not compile; `npm run check` fails when one of them does. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Caller } from '../../src/access/call.ts'
import { organizationGenerations, userGenerations } from '../../src/features/generations/documents.ts'
import { organizations } from '../../src/features/organizations/index.ts'
import { settings } from '../../src/features/settings/index.ts'
import { users } from '../../src/features/users/index.ts'
import type { Reader } from '../../src/store/index.ts'

suite('the ID of a caller', () => {
  test('is one of a user, and that of their organization is one of an organization', () => {
    const use = async (reader: Reader, { userId, organizationId }: Caller) => [
      await reader.get(users, userId),
      await reader.get(organizations, organizationId),
      await reader.get(settings, organizationId),
      // @ts-expect-error: the ID of a user is looked up as one of an organization.
      await reader.get(organizations, userId),
      // @ts-expect-error: the ID of an organization is looked up as one of a user.
      await reader.get(users, organizationId),
      // @ts-expect-error: users have no settings.
      await reader.get(settings, userId),
      // @ts-expect-error: whoever chose their ID would end the tokens of an organization.
      await reader.get(organizationGenerations, userId),
      await reader.get(userGenerations, userId),
    ]
    assert.ok(use)
  })
})
