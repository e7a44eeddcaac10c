/** What counts once on the hosted pages, used by eight at once on two nodes: exactly one wins. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openSessionWorld, passwordCheck, type SessionWorld, userCheck } from '../../../test/support/session-world.ts'
import type { WorldNode } from '../../../test/support/world.ts'
import type { App } from '../../module/app.ts'
import { recoverAdministrator } from '../onboarding/index.ts'
import { findByLoginName, isLiving, users } from '../users/index.ts'
import {
  acceptInvitationByCode,
  finishRegistration,
  type NewPassword,
  type PasswordOutcome,
  registerAccount,
  resetPasswordByCode,
  setUpByLink,
} from './index.ts'

const api = UserService.method
const returnCode = { case: 'returnCode', value: {} } as const
const client = { host: 'localhost', description: '' }

for (const engine of bothEngines) {
  suite(`of eight at once on two nodes, on ${engine.name}`, () => {
    let world: SessionWorld
    let other: WorldNode
    before(async () => {
      world = await openSessionWorld(engine)
      other = await world.another()
      await world.setLogin(world.instanceId, { allowsRegistration: true })
    })
    after(() => world.dispose())

    const eight = <Value>(act: (app: App, index: number) => Promise<Value>) =>
      Promise.all(Array.from({ length: 8 }, (_, index) => act((index % 2 === 0 ? world : other).app, index)))

    const choices: Readonly<Record<string, () => Promise<[userId: string, code: string, use: Use]>>> = {
      'an invitation': async () => {
        const { userId } = await world.addPerson({ password: undefined })
        const made = await world.call(api.createInviteCode, { userId, verification: returnCode }, world.owner)
        return [userId, made.inviteCode ?? '', acceptInvitationByCode]
      },
      'a password reset': async () => {
        const { userId } = await world.addPerson()
        const made = await world.call(api.passwordReset, { userId, medium: returnCode }, world.owner)
        return [userId, made.verificationCode ?? '', resetPasswordByCode]
      },
      'the recovery of an administrator': async () => {
        const { url } = await recoverAdministrator(world.app, { resetsFactors: false })
        const { searchParams } = new URL(url)
        const use: Use = (app, given) => setUpByLink(app, { ...given, email: 'grace@example.com' })
        return [searchParams.get('user') ?? '', searchParams.get('code') ?? '', use]
      },
    }
    type Use = (app: App, given: NewPassword) => Promise<PasswordOutcome>

    for (const [what, make] of Object.entries(choices)) {
      test(`one sets the password by ${what}, and only that one signs in`, async () => {
        const [userId, code, use] = await make()
        const passwordOf = (index: number) => `sturdy umbrella lagoon ${index}`
        const outcomes = await eight((app, index) => use(app, { userId, code, password: passwordOf(index) }))
        const winners = outcomes.flatMap(({ outcome }, index) => (outcome === 'done' ? [index] : []))
        assert.equal(winners.length, 1, JSON.stringify(outcomes))
        const [winner = -1] = winners
        await world.create({ checks: { ...userCheck({ userId }), ...passwordCheck(passwordOf(winner)) } })
        const loser = passwordOf((winner + 1) % 8)
        await assert.rejects(world.create({ checks: { ...userCheck({ userId }), ...passwordCheck(loser) } }))
        assert.notEqual((await use(world.app, { userId, code, password: passwordOf(9) })).outcome, 'done')
      })
    }

    const register = async (email: string) => {
      const account = { firstName: 'Ada', lastName: 'Lovelace', email, password: 'sturdy umbrella lagoon' }
      const made = await registerAccount(world.app, world.defaultOrganizationId, account, { client, language: 'en' })
      const ticket = made.outcome === 'started' ? made.ticket : assert.fail(made.outcome)
      const mail = (await world.outbox()).findLast(({ data }) => data.userId === ticket.userId)
      return { ticket, code: (mail?.values as { readonly code?: string } | undefined)?.code ?? '' }
    }

    test('one finishes a registration', async () => {
      const { ticket, code } = await register('once@example.com')
      const outcomes = await eight((app) => finishRegistration(app, ticket, code))
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'done').length, 1, JSON.stringify(outcomes))
    })

    test('all who registered one address and prove it are in, and one of them has it as their name', async () => {
      const email = 'shared@example.com'
      const made = []
      for (let index = 0; index < 4; index++) made.push(await register(email))
      const finished = await Promise.all(
        made.map(({ ticket, code }, index) => finishRegistration((index % 2 === 0 ? world : other).app, ticket, code)),
      )
      assert.deepEqual(
        finished.map(({ outcome }) => outcome),
        made.map(() => 'done'),
      )
      const states = await Promise.all(made.map(({ ticket }) => world.store.get(users, ticket.userId)))
      const names = states.flatMap((user) => (user !== undefined && isLiving(user.state) ? [user.state.userName] : []))
      assert.deepEqual([names.length, names.filter((name) => name === email).length], [4, 1])
      const named = await findByLoginName(world.app, email)
      assert.ok(made.some(({ ticket }) => ticket.userId === named?.id))
    })
  })
}
