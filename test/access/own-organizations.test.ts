/** A role on the instance lists organizations as its own only if it reads them all anyway. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import type { Caller } from '../../src/access/call.ts'
import { ROLE_PERMISSIONS } from '../../src/access/role-permissions.ts'
import { engines } from '../support/engines.ts'
import { openWorld, type World } from '../support/world.ts'

const ORGANIZATIONS = ['north', 'south']
const roles = Object.entries(ROLE_PERMISSIONS.instance)
const callers: Readonly<Record<string, Caller>> = Object.fromEntries(
  roles.map(([role]) => [
    role,
    { userId: role, organizationId: 'north', grants: [{ scope: 'instance', roles: [role] }] } as const,
  ]),
)

for (const engine of engines) {
  suite(`organizations of one's own on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine, organizations: ORGANIZATIONS, callers })
    })
    after(() => world.dispose())

    for (const [role, permissions] of roles) {
      const reads = (permissions as readonly string[]).includes('org.read')
      test(`are ${reads ? 'all' : 'none'} for ${role}`, async () => {
        const { result } = await world.call(AuthService.method.listMyProjectOrgs, {}, { bearer: role })
        const ids = result.map(({ id }) => id).filter((id) => ORGANIZATIONS.includes(id))
        assert.deepEqual(ids.sort(), reads ? ORGANIZATIONS : [])
      })
    }
  })
}
