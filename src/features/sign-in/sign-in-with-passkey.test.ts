/** Signing in with a passkey before the user is known: nothing is stored for a challenge, and it counts once all the same. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Authenticator } from '../../../test/support/authenticator.ts'
import { engines } from '../../../test/support/engines.ts'
import { ORIGIN, openSessionWorld, type Person, type SessionWorld } from '../../../test/support/session-world.ts'
import { instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { removeEnded } from '../../store/index.ts'
import { sessionsModule } from '../sessions/index.ts'
import { askForPasskey, findPerson, signInWithPasskey, signOut } from './index.ts'

const CLIENT = { host: 'localhost', description: 'Firefox, Linux' }
const MINUTE = 60_000

for (const engine of engines) {
  suite(`signing in with a passkey on ${engine.name}`, () => {
    let world: SessionWorld
    let person: Person
    let passkey: Authenticator
    before(async () => {
      world = await openSessionWorld(engine)
      person = await world.addPerson({ password: undefined })
      passkey = await world.addKey(person, 'passkey')
    })
    after(() => world.dispose())

    const ask = async () => {
      const asked = await askForPasskey(world.app, CLIENT)
      assert.ok(asked.outcome === 'asked')
      return asked
    }
    const wait = (milliseconds: number) => {
      world.clock.now = instant(world.clock.now + milliseconds)
    }
    /** What a browser brings back. */
    const answer = async () => {
      const { publicKey, challenge } = await ask()
      return { challenge, credential: passkey.get({ publicKey }, { origin: ORIGIN }) }
    }
    const show = (given: Awaited<ReturnType<typeof answer>>, app: App = world.app) =>
      signInWithPasskey(app, { ...given, client: CLIENT, before: undefined })
    const outcomeOf = async (given: Awaited<ReturnType<typeof answer>>, app?: App) => (await show(given, app)).outcome
    const lastEvent = async () => (await world.store.events({ limit: 1, descending: true }))[0]?.sequence

    test('writes one session with its user, and nothing before', async () => {
      const mark = await lastEvent()
      for (let count = 0; count < 100; count++) await ask()
      const given = await answer()
      assert.equal(await lastEvent(), mark)
      const shown = await show(given)
      assert.ok(shown.outcome === 'done')
      const found = await findPerson(world.app, shown.token)
      assert.deepEqual([found?.userId, found?.step], [person.userId, 'none'])
      const session = await world.get(found?.sessionId ?? '')
      assert.equal(session.factors?.webAuthN?.userVerified, true)
      assert.equal(session.userAgent?.description, 'Firefox, Linux')
      const events = await world.store.events({ from: mark ?? 0, limit: 100 })
      assert.deepEqual(
        events.map(({ type }) => type),
        [
          'passkey.used.v2',
          'sign_in.succeeded.v1',
          'sign_in_address.noted.v1',
          'session.created.v1',
          'session.challenge_answered.v1',
          'session.user_checked.v1',
          'session.web_authn_checked.v1',
        ],
      )
    })

    test('each challenge counts once, on all nodes together and after the session has ended', async () => {
      const { app: elsewhere } = await world.another()
      const given = await answer()
      const outcomes = await Promise.all([outcomeOf(given), outcomeOf(given, elsewhere), outcomeOf(given)])
      assert.deepEqual(outcomes.toSorted(), ['done', 'refused', 'refused'])
      assert.equal(await outcomeOf(given, elsewhere), 'refused')
      const other = await answer()
      const shown = await show(other, elsewhere)
      assert.ok(shown.outcome === 'done')
      await signOut(world.app, shown.token)
      for (const app of [world.app, elsewhere]) assert.equal(await outcomeOf(other, app), 'refused')
    })

    test('a challenge still counts once when sessions are deleted as soon as they end', async () => {
      const given = await answer()
      const shown = await show(given)
      assert.ok(shown.outcome === 'done')
      await signOut(world.app, shown.token)
      const [retention] =
        sessionsModule.retention?.({ ...world.app, config: { ...world.app.config, sessionRetentionMs: 0 } }) ?? []
      assert.ok(retention)
      wait(5 * MINUTE - 1)
      await removeEnded(world, retention, world.clock.now)
      assert.equal(await outcomeOf(given), 'refused')
      wait(60 * MINUTE)
      assert.ok((await removeEnded(world, retention, world.clock.now)) > 0)
    })

    test('an expired one is refused', async () => {
      const [early, late] = [await answer(), await answer()]
      wait(5 * MINUTE - 1)
      assert.equal(await outcomeOf(early), 'done')
      wait(1)
      assert.equal(await outcomeOf(late), 'refused')
    })

    test('a changed one, and the answer to another one, are refused', async () => {
      const mark = await lastEvent()
      const [one, other] = [await answer(), await answer()]
      assert.equal(await outcomeOf({ ...one, challenge: other.challenge }), 'refused')
      const [format = '', key = '', text = '', mac = ''] = one.challenge.split('.')
      const longer = JSON.parse(Buffer.from(text, 'base64url').toString())
      const changed = Buffer.from(JSON.stringify({ ...longer, expiresAt: longer.expiresAt + MINUTE })).toString(
        'base64url',
      )
      for (const challenge of [
        `${format}.${key}.${changed}.${mac}`,
        `${one.challenge}A`,
        one.challenge.slice(1),
        '',
        text,
      ]) {
        assert.equal(await outcomeOf({ ...one, challenge }), 'refused', challenge)
      }
      // A challenge that is not ours is no sign-in; the answer to another one is a failed one.
      const events = await world.store.events({ from: mark ?? 0, limit: 100 })
      assert.deepEqual(
        events.map(({ type }) => type),
        ['sign_in.failed.v1', 'sign_in_address.noted.v1'],
      )
    })

    test('a user who is deactivated cannot sign in', async () => {
      const other = await world.addPerson({ password: undefined })
      const key = await world.addKey(other, 'passkey')
      const { publicKey, challenge } = await ask()
      await world.call(UserService.method.deactivateUser, { userId: other.userId }, world.owner)
      assert.equal(await outcomeOf({ challenge, credential: key.get({ publicKey }, { origin: ORIGIN }) }), 'refused')
    })
  })
}
