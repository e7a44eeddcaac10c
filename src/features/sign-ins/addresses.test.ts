/** Where sign-ins came from: shown with them, kept for as long as the operator says, and removed from the log. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SignInService } from '../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openSessionWorld, passwordCheck, type SessionWorld, userCheck } from '../../../test/support/session-world.ts'
import { instant } from '../../kernel/instant.ts'
import { removeEnded } from '../../store/index.ts'
import { signInWithPassword } from '../sign-in/index.ts'
import { addresses } from './documents.ts'
import { signInsModule } from './index.ts'

const DAY_MS = 86_400_000
const { listSignIns } = SignInService.method
const firefox = { ip: '192.0.2.7', description: 'Firefox, Windows' }

for (const engine of bothEngines) {
  suite(`addresses of sign-ins on ${engine.name}`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())

    const newestOf = async (userId: string) =>
      (await world.call(listSignIns, { userId }, world.owner)).signIns[0] ?? assert.fail('there is no sign-in')
    const remove = async (days: number, at: number) => {
      const config = { ...world.app.config, addressRetentionMs: days * DAY_MS }
      const about = { store: world.store, instanceId: world.instanceId }
      let removed = 0
      for (const one of signInsModule.retention?.({ ...world.app, config }) ?? []) {
        removed += await removeEnded(about, one, instant(at))
      }
      return removed
    }

    test('are shown with sign-ins that succeed and that fail, on hosted pages and through the API', async () => {
      const person = await world.addPerson()
      const asked = { userId: person.userId, client: { host: 'localhost', ...firefox }, before: undefined }
      assert.equal((await signInWithPassword(world.app, { ...asked, password: 'wrong' })).outcome, 'refused')
      const failed = await newestOf(person.userId)
      assert.equal(failed.sessionId, '')
      assert.deepEqual([failed.origin?.ipAddress, failed.origin?.browser], ['192.0.2.7', 'Firefox, Windows'])

      const other = await world.addPerson()
      const userAgent = { ip: '2001:db8::7', description: 'Safari, iPhone' }
      const held = await world.create({ checks: userCheck(other), userAgent })
      await world.set(held, { checks: passwordCheck() })
      const { origin, organizationName } = await newestOf(other.userId)
      assert.deepEqual([origin?.ipAddress, origin?.browser], ['2001:db8::7', 'Safari, iPhone'])
      const organization = await world.call(OrganizationService.method.listOrganizations, {}, world.owner)
      assert.ok(organization.result.some(({ name }) => name === organizationName))
    })

    test('are noted once for each sign-in, and not at all where nothing is known', async () => {
      const person = await world.addPerson()
      const held = await world.create({ checks: userCheck(person), userAgent: firefox })
      await world.set(held, { checks: passwordCheck() })
      const noted = await world.store.events({ kinds: [addresses.name], id: held.sessionId, limit: 10 })
      assert.equal(noted.length, 1)
      const { sessionId } = await world.signIn(await world.addPerson())
      assert.equal(await world.store.get(addresses, sessionId), undefined)
    })

    test('leave the log when their time is over, and the sign-in stays', async () => {
      const person = await world.addPerson()
      const { sessionId } = await world.create({
        checks: { ...userCheck(person), ...passwordCheck() },
        userAgent: { ip: '192.0.2.99' },
      })
      const day = (days: number) => world.clock.now + days * DAY_MS
      assert.equal(await remove(30, day(29)), 0)
      assert.ok((await newestOf(person.userId)).origin)
      assert.ok((await remove(7, day(8))) > 0, 'a shorter time removes more')
      const after = await newestOf(person.userId)
      assert.equal(after.id, sessionId)
      assert.equal(after.origin, undefined)
      const events = await world.store.events({ kinds: [addresses.name], limit: 100 })
      assert.deepEqual(events, [])
    })

    test('are not noted where none are kept', async () => {
      const app = { ...world.app, config: { ...world.app.config, addressRetentionMs: 0 } }
      const person = await world.addPerson()
      const client = { host: 'localhost', ...firefox }
      const given = { userId: person.userId, password: 'wrong', client, before: undefined }
      assert.equal((await signInWithPassword(app, given)).outcome, 'refused')
      assert.equal((await newestOf(person.userId)).origin, undefined)
    })
  })
}
