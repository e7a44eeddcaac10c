/**
 * No role changes a user who has more rights: every method that changes something, called by every role with fewer rights
 * about an owner of the instance who belongs to the caller's organization.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { DescMethodUnary, JsonObject } from '@bufbuild/protobuf'
import type { Grant } from '../../src/access/call.ts'
import { requirementOf } from '../../src/access/requirement.ts'
import { holdsIn, holdsOnInstance } from '../../src/access/roles.ts'
import { assertCells, assertNone } from '../support/cells.ts'
import { allMethods } from '../support/services.ts'
import { nameOf } from './caller-tables.ts'
import { INDIRECT, OTHER_WAYS, PRIVILEGE_RULES, type PrivilegeRule } from './privilege-table.ts'
import { requestOf } from './requests.ts'
import { type CallerWorld, type Heard, type MatrixCaller, openCallers } from './world.ts'

const ORGANIZATION_ROLES = ['ORG_OWNER', 'ORG_USER_MANAGER'] as const
const INSTANCE_ROLES = ['IAM_USER_MANAGER', 'IAM_LOGIN_CLIENT'] as const
const ROLES = [...ORGANIZATION_ROLES, ...INSTANCE_ROLES] as const

const READS = /^(Get|List|Is|Retrieve|Healthz|Check|Watch|WaitFor)/

function grantsOfRole(role: (typeof ROLES)[number], organizationId: string): readonly Grant[] {
  const isOfInstance = INSTANCE_ROLES.some((one) => one === role)
  return [{ scope: isOfInstance ? 'instance' : { organizationId }, roles: [role] }]
}

/** Whether a role lets its holder call the method in their organization. */
function mayCall(method: DescMethodUnary, role: (typeof ROLES)[number]): boolean {
  const requirement = requirementOf(method)
  const grants = grantsOfRole(role, 'home')
  if (requirement.type === 'public' || requirement.type === 'authenticated') return true
  if (requirement.type === 'instance') return holdsOnInstance(grants, requirement.permission)
  return holdsIn(grants, requirement.permission, 'home')
}

const writes = [...allMethods.values()].filter(
  (method) => !READS.test(method.name) && ROLES.some((role) => mayCall(method, role)),
)
const ofRule = (rule: PrivilegeRule) => writes.filter((method) => PRIVILEGE_RULES[nameOf(method)] === rule)
const persons = ofRule('person').flatMap((method) => ROLES.map((role) => ({ method, role, more: {} })))
const otherWays = OTHER_WAYS.flatMap(([name, more]) => {
  const method = allMethods.get(name) ?? assert.fail(`there is no ${name}`)
  return ROLES.map((role) => ({ method, role, more }))
})
const closings = ofRule('organization').flatMap((method) => ROLES.map((role) => ({ method, role, more: {} })))
const cells = [...persons, ...otherWays, ...closings]

/** Who may do it to a plain user by a permission that the contract does not name. */
const HANDLER_PERMISSIONS: Readonly<Record<string, string>> = {
  SetSession: 'session.write',
  DeleteSession: 'session.delete',
  SetPassword: 'user.write',
  RegisterPasskey: 'user.passkey.write',
}

suite(`privilege: ${writes.length} methods that change something, ${cells.length} calls about a user with more rights`, () => {
  let world: CallerWorld
  let callers: Readonly<Record<(typeof ROLES)[number], MatrixCaller>>
  before(async () => {
    world = await openCallers()
    const { ids } = world
    const { human, machine } = world.callers['owner of the instance']
    for (const userId of [human, machine]) await world.makeInstanceOwner(userId)
    const callerOf = async (role: (typeof ROLES)[number]): Promise<MatrixCaller> => {
      const isOfInstance = INSTANCE_ROLES.some((one) => one === role)
      const roles = isOfInstance ? { instanceRoles: [role] } : { organizationRoles: [role] }
      const { request } = await world.addMachine({ organizationId: ids.home, ...roles })
      return {
        bearer: request.bearer,
        grants: grantsOfRole(role, ids.home),
        organizationId: ids.home,
        header: ids.home,
        human,
        machine,
      }
    }
    callers = Object.fromEntries(
      await Promise.all(ROLES.map(async (role) => [role, await callerOf(role)] as const)),
    ) as typeof callers
  })
  after(() => world.close())

  const ask = (method: DescMethodUnary, caller: MatrixCaller, more: object): Promise<Heard> =>
    world.ask(nameOf(method), { ...requestOf(method, world, caller), ...more } as JsonObject, caller)

  test('the table has a line for every method that changes something, and for no other', () => {
    assertCells(writes.map(nameOf), Object.keys(PRIVILEGE_RULES))
  })

  test('no role changes an owner of the instance', async () => {
    const wrong: string[] = []
    for (const { method, role, more } of cells) {
      const { outcome, id } = await ask(method, callers[role], more)
      const handler = HANDLER_PERMISSIONS[method.name]
      const isHolder =
        handler === undefined ? mayCall(method, role) : holdsIn(grantsOfRole(role, 'home'), handler, 'home')
      const expected = isHolder ? 'user.above_own' : 'access.forbidden'
      if (outcome !== '403' || id !== expected) {
        wrong.push(`${nameOf(method)}, ${role}: ${expected} expected, but ${outcome} ${id} ${JSON.stringify(more)}`)
      }
    }
    assertNone(wrong)
  })

  test('what an organization controls has a test that it does not apply to them', async () => {
    for (const [file, name] of Object.values(INDIRECT).flat()) {
      const text = await readFile(join(import.meta.dirname, '../../src', file), 'utf8')
      assert.ok(text.includes(name), `${file} has no test '${name}'`)
    }
  })

  test('an owner of the instance does, so the requests are good', async () => {
    const owner = world.callers['owner of the instance']
    const refused: string[] = []
    for (const { method, more } of cells.filter(({ role }) => role === 'ORG_OWNER')) {
      const { outcome, id } = await ask(method, { ...owner, header: world.ids.home }, more)
      if (outcome !== 'allowed') refused.push(`${nameOf(method)}: ${outcome} ${id}`)
    }
    assertNone(refused)
  })

  test('no role gives or takes a role that it does not cover', async () => {
    const wrong: string[] = []
    const { human: userId } = callers.ORG_OWNER
    const { home } = world.ids
    const requests = (method: DescMethodUnary): readonly JsonObject[] => {
      const roles = method.name.includes('IAM') ? ['IAM_OWNER'] : ['ORG_OWNER']
      if (method.name.endsWith('Administrator')) {
        return [
          { userId, resource: { instance: true }, roles: ['IAM_OWNER'] },
          { userId, resource: { organizationId: home }, roles },
        ]
      }
      if (method.name.includes('Project')) return [requestOf(method, world, callers.ORG_OWNER)]
      return [{ userId, roles }]
    }
    for (const method of ofRule('roles')) {
      for (const role of ROLES) {
        for (const request of requests(method)) {
          const isOwn =
            role === 'ORG_OWNER' &&
            !method.name.includes('IAM') &&
            !('instance' in ((request.resource ?? {}) as object))
          const { outcome, id } = await world.ask(nameOf(method), request, callers[role])
          // The owner of an organization gives roles in it to anybody: that takes nothing from them.
          if (outcome !== '403' && !isOwn) wrong.push(`${nameOf(method)}, ${role}: ${outcome} ${id}`)
        }
      }
    }
    assertNone(wrong)
  })
})
