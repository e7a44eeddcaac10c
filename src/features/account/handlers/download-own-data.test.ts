/** A download contains what is stored about its user, and nothing of an object that has the same ID. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../../test/support/engines.ts'
import { fillInstance } from '../../../../test/support/full-instance.ts'
import { openSessionWorld, type SessionWorld } from '../../../../test/support/session-world.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { kinds } from '../../../modules.ts'
import type { StoredEvent } from '../../../store/index.ts'
import { users } from '../../users/index.ts'
import { downloadOwnData } from './download-own-data.ts'

for (const engine of bothEngines) {
  suite(`the data of a user on ${engine.name}`, () => {
    let world: SessionWorld
    let log: readonly StoredEvent[]
    before(async () => {
      world = await openSessionWorld(engine)
      await fillInstance(world.app)
      const person = await world.addPerson()
      await world.signIn(person)
      log = await world.store.events({ limit: 100_000 })
    })
    after(() => world.dispose())

    /** What a new user with this ID downloads; undefined when nobody can have that ID. */
    const downloadAs = async (userId: string) => {
      const user = {
        userId,
        profile: { firstName: 'Eve', lastName: 'Eve' },
        email: { email: `${randomUUID()}@b.example`, verification: { case: 'isVerified', value: true } },
      } as const
      const isAdded = await world.call(UserService.method.addHumanUser, user, world.owner).then(
        () => true,
        () => false,
      )
      if (!isAdded) return undefined
      return downloadOwnData(world.app, { userId } as Parameters<typeof downloadOwnData>[1])
    }

    test('has nothing of an object of another kind with the ID of the user', async () => {
      const people = new Set(log.filter(({ kind }) => kind === 'user').map(({ id }) => id))
      const samples = new Map(log.filter(({ id }) => !people.has(id)).map(({ kind, id }) => [kind, id]))
      const mine = new Set(['user', 'password'])
      const tried: string[] = []
      for (const [kind, id] of samples) {
        const found = await downloadAs(id)
        if (found === undefined) continue
        tried.push(kind)
        assert.deepEqual(
          Object.keys(found.data ?? {}).filter((name) => !mine.has(name)),
          [],
          `${kind} ${id}`,
        )
        const events = found.events as unknown as readonly { readonly object: { readonly kind: string } }[]
        assert.deepEqual(
          events.filter(({ object }) => !mine.has(object.kind)),
          [],
          `${kind} ${id}`,
        )
        assert.deepEqual(found.activity, [], `${kind} ${id}`)
      }
      assert.ok(tried.length >= 20, `only tried ${tried}`)
    })

    test('has nothing that the server, a visitor or a caller without a token did', async () => {
      for (const actor of ['system', 'visitor', 'anonymous']) {
        const found = await downloadOwnData(world.app, { userId: actor } as Parameters<typeof downloadOwnData>[1])
        assert.deepEqual(found.activity, [], actor)
      }
    })

    test('has what the user did, and nothing that somebody else of the same name did', async () => {
      const acts = async (actor: Actor) => {
        const id = randomUUID()
        const command = { type: 'add', name: id, description: '', accessTokenType: 'bearer', userName: id } as const
        await world.store.write({ actor, at: world.app.clock() }, (work) =>
          work.decide(users, id, { ...command, type: 'add_machine' }, world.defaultOrganizationId),
        )
        return id
      }
      // Users from before IDs had a rule; and whoever chooses the ID of a transmitter that they know.
      for (const userId of ['system', 'visitor', 'anonymous', randomUUID()]) {
        await acts({ transmitter: userId })
        const id = await acts({ user: userId })
        const { activity } = await downloadOwnData(world.app, { userId } as Parameters<typeof downloadOwnData>[1])
        const objects = activity as unknown as readonly { readonly object: { readonly id: string } }[]
        assert.deepEqual(
          objects.map(({ object }) => object.id),
          [id],
          userId,
        )
      }
    })
  })
}

test('a kind says which field names its user, and only by a field that it has', () => {
  const personal = kinds.filter((kind) => kind.personal !== undefined)
  assert.ok(personal.length > 10)
  for (const { name, personal: declared, fields } of personal) {
    assert.ok(declared?.by === 'id' || Object.hasOwn(fields, declared?.by ?? ''), name)
  }
  const withUser = kinds.filter(({ fields }) => Object.hasOwn(fields, 'userId'))
  assert.deepEqual(
    withUser.filter(({ personal: declared }) => declared?.by !== 'userId'),
    [],
  )
})
