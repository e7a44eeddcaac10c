/** The sign-in page tells a visitor the same about every name, on every process that serves it. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { openSessionWorld, PASSWORD, type SessionWorld } from '../../../test/support/session-world.ts'
import { instant } from '../../kernel/instant.ts'
import { findPerson, signInWithPassword } from './index.ts'

const users = UserService.method
const client = { host: 'localhost', description: 'a browser' }

for (const engine of engines) {
  suite(`signing in on ${engine.name}`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())

    test('with wrong passwords on two nodes has one answer for all names', async () => {
      const other = await world.another()
      const [active, locked, closed] = [await world.addPerson(), await world.addPerson(), await world.addPerson()]
      const without = await world.addPerson({ password: undefined })
      await world.call(users.lockUser, { userId: locked.userId }, world.owner)
      await world.call(users.deactivateUser, { userId: closed.userId }, world.owner)
      const names = [active, locked, closed, without].map(({ loginName }) => loginName)
      const start = world.clock.now
      const answers = async (userName: string) => {
        world.clock.now = start
        const seen: string[] = []
        for (const node of [0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1]) {
          const { app } = node === 0 ? world : other
          const found = await signInWithPassword(app, { userName, password: 'wrong', client, before: undefined })
          seen.push(JSON.stringify(found))
          world.clock.now = instant(world.clock.now + 10)
        }
        return seen
      }
      const expected = await answers('nobody-of-that-name')
      assert.ok(
        expected.some((answer) => answer.includes('throttled')),
        String(expected),
      )
      for (const name of names) assert.deepEqual(await answers(name), expected, name)
    })

    test('names an organization where several have a user of that name', async () => {
      const north = world.defaultOrganizationId
      const settings = { organizationId: north, organizationScopedUsernames: true }
      await world.call(SettingsService.method.setOrganizationSettings, settings, world.owner)
      const person = await world.addPerson()
      const userName = person.loginName
      const signIn = async (organizationId?: string) => {
        const given = { userName, password: PASSWORD, organizationId, client, before: undefined }
        const found = await signInWithPassword(world.app, given)
        return found.outcome === 'done' ? (await findPerson(world.app, found.token))?.userId : found.outcome
      }
      assert.equal(await signIn(), person.userId)
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'Namesakes' },
        world.owner,
      )
      const namesake = { organisation: { org: { case: 'orgId', value: organizationId } } } as const
      const profile = { firstName: 'Eve', lastName: 'Namesake' }
      const email = { email: 'eve@example.com' }
      await world.call(users.addHumanUser, { username: userName, profile, email, ...namesake }, world.owner)
      assert.equal(await signIn(), 'refused')
      assert.equal(await signIn(north), person.userId)
    })
  })
}
