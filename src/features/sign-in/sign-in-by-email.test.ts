/** Signing in on the hosted pages with an email address in place of the user name. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { PasswordlessType } from '../../../contract/gen/signet/policy/v1/login_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { openSessionWorld, PASSWORD, type SessionWorld } from '../../../test/support/session-world.ts'
import { sendResetCodeTo } from '../account/index.ts'
import { findPerson, signInWithPassword } from './index.ts'

for (const engine of engines) {
  suite(`an email address as the user name (${engine.name})`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())

    let count = 0
    const add = async (email: string, made: { isVerified?: boolean; username?: string; orgId?: string } = {}) => {
      const { isVerified = true, username = `person-${++count}`, orgId } = made
      const verification = isVerified
        ? ({ case: 'isVerified', value: true } as const)
        : ({ case: 'returnCode', value: {} } as const)
      const { userId } = await world.call(
        UserService.method.addHumanUser,
        {
          username,
          profile: { firstName: 'Ada', lastName: 'Lovelace' },
          email: { email, verification },
          passwordType: { case: 'password', value: { password: PASSWORD } },
          ...(orgId !== undefined && { organisation: { org: { case: 'orgId', value: orgId } } }),
        },
        world.owner,
      )
      return userId
    }
    const signIn = async (userName: string, organizationId?: string) => {
      const client = { host: 'localhost', description: '' }
      const signed = await signInWithPassword(world.app, {
        userName,
        password: PASSWORD,
        organizationId,
        client,
        before: undefined,
      })
      return signed.outcome === 'done' ? (await findPerson(world.app, signed.token))?.userId : signed.outcome
    }

    test('means the one user who has it', async () => {
      const userId = await add('Ada@One.example')
      assert.equal(await signIn('ada@one.example'), userId)
      assert.equal(await signIn('ADA@one.example'), userId)
      const unverified = await add('bob@one.example', { isVerified: false })
      assert.equal(await signIn('bob@one.example'), unverified)
    })

    test('means the user who has verified it, also where another one claims it', async () => {
      const userId = await add('ada@two.example')
      await add('ada@two.example', { isVerified: false })
      assert.equal(await signIn('ada@two.example'), userId)
    })

    test('means who had it first where two have it, and the other one when they cannot sign in', async () => {
      const first = await add('ada@three.example')
      const second = await add('ada@three.example')
      assert.equal(await signIn('ada@three.example'), first)
      const bob = await add('bob@three.example', { isVerified: false })
      await add('bob@three.example', { isVerified: false })
      assert.equal(await signIn('bob@three.example'), bob)
      assert.equal(await signIn('unknown@three.example'), 'refused')
      // A user who cannot sign in is no candidate.
      await world.call(UserService.method.deactivateUser, { userId: first }, world.owner)
      assert.equal(await signIn('ada@three.example'), second)
    })

    test('a user name that looks like an address wins over an address that a user gets later', async () => {
      const named = await add('other@four.example', { username: 'ada@four.example' })
      await add('ada@four.example')
      assert.equal(await signIn('ada@four.example'), named)
    })

    test('an address gets a reset code like a name', async () => {
      const userId = await add('ada@six.example')
      await sendResetCodeTo(world.app, 'ada@six.example', undefined)
      const mails = (await world.outbox()).filter(({ data }) => data.userId === userId)
      assert.equal(mails.length, 1)
    })

    test('means no user where the login policy does not allow it', async () => {
      const userId = await add('ada@eight.example', { username: 'ada-eight' })
      const policy = { allowUsernamePassword: true, allowExternalIdp: true, passwordlessType: PasswordlessType.ALLOWED }
      const update = (disableLoginWithEmail: boolean) =>
        world.call(AdminService.method.updateLoginPolicy, { ...policy, disableLoginWithEmail }, world.owner)
      await update(true)
      assert.equal(await signIn('ada@eight.example'), 'refused')
      assert.equal(await signIn('ada-eight'), userId)
      await update(false)
      assert.equal(await signIn('ada@eight.example'), userId)
    })

    test('the API still knows user names only', async () => {
      await add('ada@seven.example')
      const search = { case: 'loginName', value: 'ada@seven.example' } as const
      await assert.rejects(world.create({ checks: { user: { search } } }))
    })
  })
}
