/**
 * The project of our own API belongs to the default organization, but the whole instance depends on it: every method that
 * changes something in a project, called about this one by owners of the organization and of the project, is refused.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { DescMethodUnary } from '@bufbuild/protobuf'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { accessOf } from '../../src/access/requirement.ts'
import { apiProjectId } from '../../src/features/instances/index.ts'
import { Failed } from '../../src/http/protocols/errors.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import type { CallOptions } from '../support/calls.ts'
import { engines } from '../support/engines.ts'
import { allMethods } from '../support/services.ts'
import { openWorld, type World } from '../support/world.ts'
import { nameOf } from './caller-tables.ts'

/** Where a request names the project. */
function naming(method: DescMethodUnary, projectId: string): object | undefined {
  const fields = new Set(method.input.fields.map(({ localName }) => localName))
  if (fields.has('projectId')) return { projectId }
  if (fields.has('resource')) return { resource: { resource: { case: 'projectId', value: projectId } } }
  return fields.has('id') && /^(Update|Deactivate|Reactivate|Remove)Project$/.test(method.name)
    ? { id: projectId }
    : undefined
}

const writes = [...allMethods.values()].filter((method) => {
  if (method === ProjectService.method.createProject) return false
  const { permission, alternatives } = accessOf(method)
  const permissions = [permission, ...alternatives].filter((one) => /^(project|user\.grant)\./.test(one))
  return permissions.some((one) => !one.endsWith('.read')) && naming(method, 'x') !== undefined
})

for (const engine of engines) {
  suite(`the API project and the ${writes.length} methods that change a project, on ${engine.name}`, () => {
    let world: World
    let api: string
    let other: string
    const callers: Record<string, CallOptions> = {}

    before(async () => {
      world = await openWorld({ engine })
      api = await apiProjectId(world.app)
      const organizationId = world.defaultOrganizationId
      other = (await world.call(ProjectService.method.createProject, { organizationId, name: 'Shop' }, world.owner))
        .projectId
      callers.organization = (await world.addMachine({ organizationRoles: ['ORG_OWNER'] })).request
      const { userId, request } = await world.addMachine()
      for (const projectId of [api, other]) {
        const resource = { resource: { case: 'projectId', value: projectId } } as const
        const member = { userId, resource, roles: ['PROJECT_OWNER'] }
        await world.call(InternalPermissionService.method.createAdministrator, member, world.owner)
      }
      callers.project = request
    })
    after(() => world.dispose())

    const codeOf = async (method: DescMethodUnary, message: object, as: CallOptions): Promise<string> => {
      try {
        const organizationId = world.defaultOrganizationId
        await world.call(method, message as never, { ...as, organizationId })
        return 'done'
      } catch (error) {
        if (error instanceof Refused) return error.code
        if (error instanceof Failed) return error.failure.id
        throw error
      }
    }

    test('are refused for owners of its organization and of the project itself', async () => {
      assert.ok(writes.length > 40, String(writes.length))
      const wrong: string[] = []
      for (const method of writes) {
        for (const [who, as] of Object.entries(callers)) {
          const code = await codeOf(method, naming(method, api) ?? {}, as)
          if (code !== 'access.forbidden') wrong.push(`${nameOf(method)} by the owner of the ${who}: ${code}`)
        }
      }
      assert.deepEqual(wrong, [])
    })

    test('are not refused about another project, nor for an owner of the instance', async () => {
      const wrong: string[] = []
      for (const method of writes) {
        for (const [about, as] of [
          [other, callers.organization ?? {}],
          [api, world.owner],
        ] as const) {
          // The project itself is needed for the other methods.
          if (/^(Delete|Remove)Project$/.test(method.name) && about === other) continue
          const code = await codeOf(method, naming(method, about) ?? {}, as)
          if (code === 'access.forbidden') wrong.push(`${nameOf(method)} about ${about}`)
        }
      }
      assert.deepEqual(wrong, [])
    })
  })
}
