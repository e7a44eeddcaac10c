/** Faults that the search must find: they are planted around the server's methods and its database while the test runs. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import type { Method } from '../../src/access/method.ts'
import { organizations } from '../../src/features/organizations/index.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { callMethods } from '../support/calls.ts'
import { assertNone } from '../support/cells.ts'
import { engines } from '../support/engines.ts'
import { CONTROLS } from '../support/planted-faults.ts'
import { allMethods } from '../support/services.ts'
import { casesOf } from './cases.ts'
import { search } from './search.ts'
import { openTenants, type Tenants } from './world.ts'

const FOUND = 'signet.org.v2.OrganizationService/ListOrganizations'
const READ = 'signet.group.v2.GroupService/GetGroup'

/** Replaces what one method does, unless it is about something else. */
function replaced(methods: readonly Method[], name: string, plant: Method['handle']): readonly Method[] {
  return methods.map((method) => (method.descriptor === allMethods.get(name) ? { ...method, handle: plant } : method))
}

for (const engine of engines) {
  suite(`the search for leaks finds planted faults (${engine.name})`, () => {
    let tenants: Tenants
    before(async () => {
      tenants = await openTenants(engine)
    })
    after(() => tenants.dispose())

    /** What is found about a method that does something else. */
    const foundIn = async (name: string, plant: (original: Method['handle']) => Method['handle']) => {
      const { scene } = tenants
      const method = scene.methods.find(({ descriptor }) => descriptor === allMethods.get(name)) ?? assert.fail(name)
      const planted = replaced(scene.methods, name, plant(method.handle))
      const call = callMethods(planted, scene.authorize)
      const cases = casesOf(tenants, name, method.descriptor)
      const { unexplained } = await search({ ...tenants, scene: { ...scene, call } }, cases)
      return unexplained.join('\n')
    }

    test('control: nothing is found where nothing is planted', async () => {
      assert.equal(await foundIn(FOUND, (original) => original), '')
      assert.equal(await foundIn(READ, (original) => original), '')
    })

    test('control: an answer with a member of another tenant is found', async () => {
      const found = await foundIn(FOUND, (original) => async (message, call) => {
        const reply = (await original(message, call)) as { readonly result: readonly object[] }
        return { ...reply, result: [...reply.result, { id: tenants.a.things.home, name: 'Acme' }] }
      })
      assert.match(found, /ListOrganizations own tells/)
    })

    test('control: another status is found', async () => {
      const found = await foundIn(READ, (original) => (message, call) => {
        const { id } = message as { readonly id: string }
        if (id !== tenants.a.things.groupId) return original(message, call)
        throw new Refused('group.elsewhere', 'conflict', 'It belongs to others.')
      })
      assert.match(found, /GetGroup id differs/)
    })

    test('control: a write into another tenant is found', async () => {
      const found = await foundIn(FOUND, (original) => async (message, call) => {
        await tenants.scene.store.write(call.origin, (work) =>
          work.decide(organizations, tenants.a.things.home, { type: 'rename', name: 'Taken over' }),
        )
        return original(message, call)
      })
      assert.match(found, /ListOrganizations own writes by .*: organization\/\d+: organization\.renamed/)
    })
  })
}

suite('the controls of the two machines', () => {
  test('are eight, and each of them is a test', () => {
    const read = (file: string) => readFileSync(`${import.meta.dirname}/../../${file}`, 'utf8')
    const all = Object.entries(CONTROLS)
    assert.equal(all.length, 8)
    assertNone(all.filter(([name, file]) => !read(file).includes(`'control: ${name} is found'`)).map(([name]) => name))
  })
})
