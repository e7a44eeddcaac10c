import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type AddHumanUserRequest,
  AddHumanUserRequestSchema,
} from '../../../../contract/gen/signet/user/v2/human_pb.ts'
import type { Call } from '../../../access/call.ts'
import { instant } from '../../../kernel/instant.ts'
import { type RefusalKind, Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { beginImport, type ImportOptions } from './import-human.ts'

const call: Call = {
  caller: { userId: 'boss', organizationId: 'north', grants: [] },
  isAnonymous: false,
  organizationId: 'north',
  at: instant(1),
  origin: { actor: { user: 'boss' }, at: instant(1) },
  requestId: 'request',
  signal: new AbortController().signal,
  authorize: (owner) => {
    if (owner === 'forbidden') throw new Refused('access.forbidden', 'forbidden', 'No.')
  },
  authorizeWith: () => {},
  reaches: () => true,
  isOwn: () => false,
  may: () => true,
  visibleOwners: () => 'all',
  visibleProjects: () => ({ projectIds: [], grantIds: [] }),
}

function taken() {
  return new Refused('user.id_taken', 'conflict', 'Taken.')
}
function trouble(kind: RefusalKind) {
  return new Refused(`trouble.${kind}`, kind, 'Trouble.')
}

type AddHuman = NonNullable<ImportOptions['addHuman']>

/** Users who exist, what adding one does, and how long the import waited. */
function openScene(options: { addHuman?: AddHuman; existing?: Record<string, string> } = {}) {
  const existing = new Map(Object.entries(options.existing ?? {}))
  const pauses: number[] = []
  const added: string[] = []
  const get = async (_: unknown, id: string) => {
    const owner = existing.get(id)
    return owner === undefined ? undefined : { id, owner, state: { status: 'active', type: 'human' } }
  }
  const addHuman: AddHuman = async (_, request, { authorize }) => {
    authorize(request.organisation?.org.value ?? 'north')
    const { userId = '' } = request
    if (existing.has(userId)) throw taken()
    existing.set(userId, 'north')
    added.push(request.username ?? '')
    return {}
  }
  let ids = 0
  const app = { store: { get }, newId: () => `new-${++ids}` } as unknown as App
  const importHuman = beginImport(app, {
    addHuman: options.addHuman ?? addHuman,
    sleep: async (milliseconds) => void pauses.push(milliseconds),
  })
  const ending = new AbortController()
  return {
    existing,
    pauses,
    added,
    ending,
    addHuman,
    send: (init: MessageInitShape<typeof AddHumanUserRequestSchema>) =>
      importHuman({
        request: create(AddHumanUserRequestSchema, init),
        currentCall: async () => call,
        signal: ending.signal,
      }),
  }
}

function inOrganization(orgId: string) {
  return { org: { case: 'orgId', value: orgId } } as const
}

suite('importing a human', () => {
  test('a new user is created, with a new id when none is given', async () => {
    const { send } = openScene()
    assert.deepEqual(await send({ userId: 'a', username: 'a' }), { status: 'created', userId: 'a' })
    assert.deepEqual(await send({ username: 'b' }), { status: 'created', userId: 'new-1' })
  })

  test('a user without an id gets another one when somebody has it, in whatever organization', async () => {
    for (const organizationId of ['north', 'south']) {
      const { send } = openScene({ existing: { 'new-1': organizationId, 'new-2': organizationId } })
      assert.deepEqual(await send({ username: 'b' }), { status: 'created', userId: 'new-3' })
    }
  })

  test('codes that were asked for are returned', async () => {
    const { send } = openScene({
      addHuman: async (_, __, { authorize }) => {
        authorize('north')
        return { emailCode: 'E', phoneCode: 'P' }
      },
    })
    assert.deepEqual(await send({ userId: 'a' }), { status: 'created', userId: 'a', emailCode: 'E', phoneCode: 'P' })
  })

  test('a user of the same organization exists already, and no password is hashed', async () => {
    let hashed = 0
    const { send } = openScene({
      existing: { a: 'north' },
      addHuman: async (_, __, { authorize }) => {
        authorize('north')
        hashed++
        return {}
      },
    })
    assert.deepEqual(await send({ userId: 'a' }), { status: 'exists', userId: 'a' })
    assert.equal(hashed, 0)
  })

  test('a user of another organization with the same id is a conflict', async () => {
    const { send } = openScene({ existing: { a: 'south' } })
    await assert.rejects(send({ userId: 'a' }), { code: 'user.id_taken' })
  })

  test('without the permission to add users there the caller does not learn who exists', async () => {
    const { send } = openScene({ existing: { a: 'forbidden' } })
    await assert.rejects(send({ userId: 'a', organisation: inOrganization('forbidden') }), { code: 'access.forbidden' })
  })

  test('of two with the same id or name, the first one gets it', async () => {
    const scene = openScene()
    const results = await Promise.all([
      scene.send({ userId: 'a', username: 'first' }),
      scene.send({ userId: 'a', username: 'second' }),
      scene.send({ userId: 'b', username: 'third' }),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['created', 'exists', 'created'],
    )
    assert.ok(!scene.added.includes('second'))
  })

  test('names that are the same in other letters wait for each other', async () => {
    const begun: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const { send } = openScene({
      addHuman: async (_, { username = '' }, { authorize }) => {
        authorize('north')
        begun.push(username)
        if (username === 'Anna') await promise
        return {}
      },
    })
    const first = send({ username: 'Anna' })
    const second = send({ username: 'ANNA' })
    await send({ username: 'bert' })
    assert.deepEqual(begun, ['Anna', 'bert'])
    resolve()
    await Promise.all([first, second])
    assert.deepEqual(begun, ['Anna', 'bert', 'ANNA'])
  })

  test('a temporary trouble is tried again after a pause, longer each time', async () => {
    const failures = [trouble('exhausted'), trouble('aborted'), trouble('unavailable')]
    const scene = openScene({
      addHuman: async (app, request, asked) => {
        const failure = failures.shift()
        if (failure !== undefined) throw failure
        return scene.addHuman(app, request, asked)
      },
    })
    assert.equal((await scene.send({ userId: 'a' })).status, 'created')
    assert.deepEqual(scene.pauses, [50, 100, 200])
  })

  test('a trouble that lasts is told in the end, everything else at once', async () => {
    for (const [kind, tries] of [
      ['unavailable', 5],
      ['exhausted', 10],
      ['invalid', 1],
      ['conflict', 1],
    ] as const) {
      let count = 0
      const { send } = openScene({
        addHuman: async () => {
          count++
          throw trouble(kind)
        },
      })
      await assert.rejects(send({ userId: 'a' }), { code: `trouble.${kind}` })
      assert.equal(count, tries, kind)
    }
  })

  test('there is no pause when the import ends', async () => {
    const scene = openScene({
      addHuman: async () => {
        scene.ending.abort()
        throw trouble('unavailable')
      },
    })
    await assert.rejects(scene.send({ userId: 'a' }), { code: 'trouble.unavailable' })
    assert.deepEqual(scene.pauses, [])
  })

  test('a write whose answer was lost is found by the next try', async () => {
    let isLost = true
    const scene = openScene({
      addHuman: async (app, request: AddHumanUserRequest, asked) => {
        const reply = await scene.addHuman(app, request, asked)
        if (isLost) {
          isLost = false
          throw trouble('unavailable')
        }
        return reply
      },
    })
    assert.deepEqual(await scene.send({ username: 'anna' }), { status: 'created', userId: 'new-1' })
    assert.deepEqual(scene.added, ['anna'])
  })

  test('few passwords are hashed at once', async () => {
    let running = 0
    let most = 0
    const { send } = openScene({
      addHuman: async (_, { passwordType }, { authorize }) => {
        authorize('north')
        if (passwordType.case !== 'password') return {}
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return {}
      },
    })
    const password = { case: 'password', value: { password: 'correct horse' } } as const
    const ids = Array.from({ length: 50 }, (_, index) => `p${index}`)
    await Promise.all(ids.map((userId) => send({ userId, username: userId, passwordType: password })))
    assert.equal(most, 4)
  })

  test('adding without asking for permission is a fault', async () => {
    const { send } = openScene({ addHuman: async () => ({}) })
    await assert.rejects(send({ userId: 'a' }), /never asked/)
  })
})
