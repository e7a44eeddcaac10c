/**
 * In an organization that is deactivated nobody changes anything by a role in it: every method of the contract that writes,
 * called by members from other organizations, who can still sign in. After a removal their roles are gone at once, before
 * any job has run.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { requirementOf } from '../../src/access/requirement.ts'

import { assertNone } from '../support/cells.ts'
import { engines } from '../support/engines.ts'
import { allMethods } from '../support/services.ts'
import { isAboutOneself, nameOf } from './caller-tables.ts'
import { requestOf } from './requests.ts'
import { type CallerWorld, type MatrixCaller, openCallers } from './world.ts'

const writes = [...allMethods.values()].filter((method) => {
  const requirement = requirementOf(method)
  return 'permission' in requirement && !requirement.permission.endsWith('.read') && !isAboutOneself(method)
})

const GRANT_OWNER = 'foreign owner of the grant'

for (const engine of engines) {
  suite(`a closed organization: ${writes.length} methods that write, on ${engine.name}`, () => {
    let world: CallerWorld
    const members: Record<string, MatrixCaller> = {}

    before(async () => {
      world = await openCallers({ engine })
      const { home, outsider, projectId, partner } = world.ids
      const { call, owner } = world.scene
      const scopes = {
        'foreign owner': { resource: { case: 'organizationId', value: home }, roles: ['ORG_OWNER'] },
        'foreign owner of the project': { resource: { case: 'projectId', value: projectId }, roles: ['PROJECT_OWNER'] },
        [GRANT_OWNER]: {
          resource: { case: 'projectGrant', value: { projectId, organizationId: partner } },
          roles: ['PROJECT_GRANT_OWNER'],
        },
      } as const
      for (const [name, { resource, roles }] of Object.entries(scopes)) {
        const { userId, request } = await world.addMachine({ organizationId: outsider })
        const member = { userId, resource: { resource }, roles: [...roles] }
        await call(InternalPermissionService.method.createAdministrator, member, owner)
        const { human, machine } = world.callers['user manager of the organization']
        const header = name === GRANT_OWNER ? partner : home
        members[name] = { bearer: request.bearer, grants: [], organizationId: header, header, human, machine }
      }
    })
    after(() => world.close())

    /** What got through, or as far as the state of what it is about. */
    const through = async (names = Object.keys(members)): Promise<readonly string[]> => {
      const found: string[] = []
      for (const name of names) {
        const caller = members[name] ?? assert.fail(name)
        for (const method of writes) {
          const { outcome, id } = await world.ask(nameOf(method), requestOf(method, world, caller), caller)
          if (outcome === 'allowed') found.push(`${nameOf(method)}, ${name}: ${id}`)
        }
      }
      return found
    }

    test('a project that is deactivated: those to whom it is granted change nothing', async () => {
      assert.notDeepEqual(await through([GRANT_OWNER]), [])
      const { call, owner } = world.scene
      const { projectId } = world.ids
      await call(ProjectService.method.deactivateProject, { projectId }, owner)
      assertNone(await through([GRANT_OWNER]))
      await call(ProjectService.method.activateProject, { projectId }, owner)
    })

    test('an organization that is deactivated: members from elsewhere change nothing, nor open it again', async () => {
      const before = await through()
      assert.ok(before.length > 150, `${before.length}`)
      const { call, owner } = world.scene
      await call(OrganizationService.method.deactivateOrganization, { organizationId: world.ids.home }, owner)
      assertNone(await through())
    })

    test('an owner of the instance does both', async () => {
      const caller = world.callers['owner of the instance']
      const refused: string[] = []
      for (const method of writes) {
        const { outcome, id } = await world.ask(nameOf(method), requestOf(method, world, caller), caller)
        if (outcome === '403') refused.push(`${nameOf(method)}: ${id}`)
      }
      assertNone(refused)
    })

    test('one that was removed gives its members nothing, before any job has run', async () => {
      const { call, owner } = world.scene
      await call(OrganizationService.method.deleteOrganization, { organizationId: world.ids.home }, owner)
      assertNone(await through())
      for (const [name, { bearer }] of Object.entries(members)) {
        const { result } = await call(AuthService.method.listMyZitadelPermissions, {}, { bearer: bearer ?? '' })
        assert.deepEqual([name, ...result], [name])
      }
    })
  })
}
