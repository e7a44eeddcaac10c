import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { AddMachineUserRequestSchema } from '../../../contract/gen/signet/management/v1/machine_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { AccessTokenType, UserState } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'

const { addMachineUser, getUserByID, removeUser, updateUserName } = ManagementService.method

for (const engine of engines) {
  suite(`adding a machine user on ${engine.name}`, () => {
    let world: SmallWorld
    let count = 0
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())

    const add = (
      message: Partial<MessageInitShape<typeof AddMachineUserRequestSchema>> = {},
      bearer = 'north',
      organizationId?: string,
    ) =>
      world.call(
        addMachineUser,
        { userName: `robot-${++count}`, name: 'Robot', ...(message as object) },
        { bearer, ...(organizationId !== undefined && { organizationId }) },
      )

    test('answers with the id and all details', async () => {
      const { userId, details } = await add({ description: 'Sweeps' })
      assert.match(userId, /^\d{18}$/)
      const [last] = await world.store.events({ descending: true, limit: 1 })
      assert.equal(last?.type, 'user.machine_added.v1')
      assert.equal(details?.sequence, BigInt(last.sequence))
      assert.deepEqual(details.creationDate, timestampFromMs(NOON))
      assert.deepEqual(details.changeDate, timestampFromMs(NOON))
      assert.equal(details.resourceOwner, 'north')
    })

    test('is seen by the next read', async () => {
      const { userId, details } = await add({
        userName: 'Readable',
        name: 'Name',
        description: 'Line one\nline two',
        accessTokenType: AccessTokenType.JWT,
      })
      const { user } = await world.call(getUserByID, { id: userId }, { bearer: 'north' })
      assert.equal(user?.id, userId)
      assert.equal(user.userName, 'Readable')
      assert.deepEqual(user.loginNames, ['Readable'])
      assert.equal(user.preferredLoginName, 'Readable')
      assert.equal(user.state, UserState.ACTIVE)
      assert.deepEqual(user.details, details)
      assert.ok(user.type.case === 'machine')
      assert.equal(user.type.value.name, 'Name')
      assert.equal(user.type.value.description, 'Line one\nline two')
      assert.equal(user.type.value.accessTokenType, AccessTokenType.JWT)
      assert.equal(user.type.value.hasSecret, false)
    })

    test('goes to the organization of the header', async () => {
      const { details } = await add({}, 'boss', 'south')
      assert.equal(details?.resourceOwner, 'south')
    })

    test('accepts every text at its limit, counted in code points', async () => {
      await add({ userName: `${++count}`.padEnd(200, 'x'), name: 'n'.repeat(200), description: 'd'.repeat(500) })
      await add({
        userName: `${++count % 10}${'🤖'.repeat(199)}`,
        name: '🤖'.repeat(200),
        description: '🤖'.repeat(500),
      })
      await add({ userName: '!', name: '?', description: '', userId: '1' })
      await add({ userId: 'u'.repeat(200) })
    })

    const beyond: readonly (readonly [
      string,
      Partial<MessageInitShape<typeof AddMachineUserRequestSchema>>,
      string,
    ])[] = [
      ['an empty user name', { userName: '' }, 'userName'],
      ['a user name of 201 characters', { userName: 'x'.repeat(201) }, 'userName'],
      ['an empty name', { name: '' }, 'name'],
      ['a name of 201 characters', { name: '🤖'.repeat(201) }, 'name'],
      ['a description of 501 characters', { description: 'd'.repeat(501) }, 'description'],
      ['an empty user id', { userId: '' }, 'userId'],
      ['a user id of 201 characters', { userId: 'u'.repeat(201) }, 'userId'],
      ['a token type that does not exist', { accessTokenType: 2 as AccessTokenType }, 'accessTokenType'],
    ]
    for (const [what, message, field] of beyond) {
      test(`refuses ${what}`, () => isRefused(add(message), 'request.invalid', field))
    }

    test('names every field that is wrong', () =>
      isRefused(
        add({ userName: '', name: '', description: 'd'.repeat(501) }),
        'request.invalid',
        'userName',
        'name',
        'description',
      ))

    test('refuses text that cannot be shown or stored, by its field', async () => {
      await isRefused(add({ userName: 'ro\u200bbot' }), 'user.username_invalid', 'userName')
      await isRefused(add({ userName: ' robot' }), 'user.username_invalid', 'userName')
      await isRefused(add({ name: 'Ro\u0000bot' }), 'user.field_invalid', 'name')
      await isRefused(add({ name: 'a\nb', description: '\u0007' }), 'user.field_invalid', 'name', 'description')
      await isRefused(add({ userId: 'a b' }), 'user.field_invalid', 'userId')
      await isRefused(add({ userId: '\u0000' }), 'user.field_invalid', 'userId')
    })

    test('refuses a user name that is taken, whatever its case and width, in every organization', async () => {
      await add({ userName: 'Taken' })
      await isRefused(add({ userName: 'Taken' }), 'user.username_taken')
      await isRefused(add({ userName: 'tAKEN' }), 'user.username_taken')
      await isRefused(add({ userName: 'Ｔａｋｅｎ' }, 'south'), 'user.username_taken')
    })

    test('takes a name again once its user is removed or renamed', async () => {
      const { userId } = await add({ userName: 'again' })
      await world.call(updateUserName, { userId, userName: 'renamed' }, { bearer: 'north' })
      const second = await add({ userName: 'AGAIN' })
      await world.call(removeUser, { id: second.userId }, { bearer: 'north' })
      await add({ userName: 'again' })
    })

    test('never gives an id twice', async () => {
      await add({ userId: 'mine' })
      await isRefused(add({ userId: 'mine' }), 'user.id_taken')
      await isRefused(add({ userId: 'mine' }, 'south'), 'user.id_taken')
      await world.call(removeUser, { id: 'mine' }, { bearer: 'north' })
      await isRefused(add({ userId: 'mine' }), 'user.id_taken')
      await isRefused(add({ userId: 'mine' }, 'south'), 'user.id_taken')
    })

    test('refuses an organization that is deactivated', () =>
      isRefused(add({}, 'closed'), 'user.organization_inactive'))

    test('refuses callers who are not signed in, may not write, or belong to another organization', async () => {
      await isRefused(world.call(addMachineUser, { userName: 'x', name: 'x' }), 'access.unauthenticated')
      await isRefused(add({}, 'unknown'), 'access.unauthenticated')
      await isRefused(add({}, 'viewer'), 'access.forbidden')
      await isRefused(add({}, 'nobody'), 'access.forbidden')
      await isRefused(add({}, 'north', 'south'), 'access.forbidden')
    })

    test('lets exactly one of many with the same name win, on one node and on two', async () => {
      const other = await world.another()
      for (let round = 0; round < 5; round++) {
        const tries = Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? world : other).call(
            addMachineUser,
            { userName: index % 4 < 2 ? `Race-${round}` : `RACE-${round}`, name: 'Racer' },
            { bearer: 'north' },
          ),
        )
        const results = await Promise.allSettled(tries)
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
        for (const result of results) {
          if (result.status === 'rejected') assert.equal(result.reason.code, 'user.username_taken')
        }
      }
    })
  })
}
