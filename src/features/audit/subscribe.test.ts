/** The event stream in the real app: what it says, and how long its callers may read it. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import {
  SubscribeRequestSchema,
  SubscribeResponseSchema,
} from '../../../contract/gen/signet/event/v1/event_service_pb.ts'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { CallOptions } from '../../../test/support/calls.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World, type WorldNode } from '../../../test/support/world.ts'
import type { StreamCaller } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { subscribeMethod } from './subscribe.ts'

/** Subscribes as a caller; the replies as a client would get them. */
async function* subscribe(node: WorldNode, { bearer }: CallOptions, after = '0') {
  const method = subscribeMethod(node.app, 1)
  const { signal } = new AbortController()
  const authorized = await node.authorize(method, {
    verb: 'POST',
    path: '',
    header: (name) => (name === 'authorization' ? `Bearer ${bearer}` : undefined),
    requestId: 'test',
    signal,
  })
  async function* requests() {
    yield create(SubscribeRequestSchema, { after })
  }
  const confirm = () => node.store.asOneRequest(async () => void (await authorized.again()))
  for await (const portion of method.serve(requests(), signal, { call: authorized.call, confirm })) {
    for (const reply of portion) yield create(SubscribeResponseSchema, reply as object)
  }
}

/** Reads until the stream is refused. */
async function untilRefused(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

for (const engine of engines) {
  suite(`the event stream of the app on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    test('says what the list of events says, without secrets', async () => {
      await world.addMachine()
      const { events } = await world.call(AdminService.method.listEvents, { asc: true, limit: 1000 }, world.owner)
      const streamed = []
      for await (const { content } of subscribe(world, world.owner)) {
        if (content.case === 'heartbeat') break
        streamed.push(content.value)
      }
      assert.ok(streamed.some((event) => event?.type?.type === 'personal_access_token.added.v1'))
      assert.deepEqual(
        streamed,
        // A list also says what its events are about, by name.
        events.map((event) => ({ ...event, editor: { ...event.editor, displayName: '' }, things: [] })),
      )
      assert.doesNotMatch(JSON.stringify(streamed.map((event) => event?.payload)), /"secret":/)
    })

    test('is only for those who may read the events of the whole instance', async () => {
      const members: [string, readonly string[], boolean][] = [
        ['instanceRoles', ['IAM_OWNER'], true],
        ['instanceRoles', ['IAM_OWNER_VIEWER'], true],
        ['instanceRoles', ['IAM_USER_MANAGER'], false],
        ['instanceRoles', ['IAM_LOGIN_CLIENT'], false],
        ['organizationRoles', ['ORG_OWNER'], false],
        ['organizationRoles', [], false],
      ]
      for (const [where, roles, isAllowed] of members) {
        const { request } = await world.addMachine(roles.length === 0 ? {} : { [where]: roles })
        const first = subscribe(world, request, '').next()
        if (isAllowed) assert.equal((await first).value?.content.case, 'heartbeat', roles.join())
        else await isRefused(first, 'access.forbidden')
      }
      await isRefused(subscribe(world, { bearer: 'nobody' }).next(), 'access.unauthenticated')
    })

    type Reader = Awaited<ReturnType<World['addMachine']>>
    const LOST: Readonly<Record<string, readonly [string, (reader: Reader, home: string) => Promise<unknown>]>> = {
      'the token was removed': [
        'access.unauthenticated',
        async ({ userId }, organizationId) => {
          const inHome = { ...world.owner, organizationId }
          const { result } = await world.call(ManagementService.method.listPersonalAccessTokens, { userId }, inHome)
          const tokenId = result[0]?.id ?? ''
          await world.call(ManagementService.method.removePersonalAccessToken, { userId, tokenId }, inHome)
        },
      ],
      'the role was taken away': [
        'access.forbidden',
        ({ userId }) =>
          world.call(
            InternalPermissionService.method.deleteAdministrator,
            { userId, resource: { resource: { case: 'instance', value: true } } },
            world.owner,
          ),
      ],
      'the user was deactivated': [
        'access.unauthenticated',
        ({ userId }) => world.call(UserService.method.deactivateUser, { userId }, world.owner),
      ],
      'the organization was deactivated': [
        'access.unauthenticated',
        (_, organizationId) =>
          world.call(OrganizationService.method.deactivateOrganization, { organizationId }, world.owner),
      ],
    }
    for (const [reason, [code, lose]] of Object.entries(LOST)) {
      test(`ends, on every node, when ${reason}`, async () => {
        const { organizationId } = await world.call(
          OrganizationService.method.addOrganization,
          { name: `Home ${reason}` },
          world.owner,
        )
        const reader = await world.addMachine({ organizationId, instanceRoles: ['IAM_OWNER_VIEWER'] })
        const nodes = engine.name === 'postgres' ? [world, await world.another()] : [world]
        const streams = nodes.map((node) => subscribe(node, reader.request, ''))
        for (const stream of streams) {
          for (let beat = 0; beat < 3; beat++) assert.equal((await stream.next()).done, false)
        }
        const ended = streams.map((stream) => isRefused(untilRefused(stream), code))
        await lose(reader, organizationId)
        await Promise.all(ended)
      })
    }
  })
}

suite('the places of event streams', () => {
  /** A caller that both instances know under the same ID. */
  const caller = { call: { caller: { organizationId: 'org-1', userId: 'user-1' } }, confirm: async () => {} }

  /** Opens streams until there is no place; returns how many there were. */
  async function openAll(app: App): Promise<number> {
    const method = subscribeMethod(app)
    const request = create(SubscribeRequestSchema, { after: '0' })
    async function* requests() {
      yield request
    }
    for (let open = 0; ; open++) {
      const stream = method.serve(requests(), new AbortController().signal, caller as unknown as StreamCaller)
      const first = stream[Symbol.asyncIterator]().next()
      if (await isRefusal(first)) return open
    }
  }

  async function isRefusal(first: Promise<unknown>): Promise<boolean> {
    return first.then(
      () => false,
      (error: unknown) => (error as { readonly code?: string }).code === 'audit.too_many_streams',
    )
  }

  test('of one instance are not taken by callers with the same ID in another', async () => {
    const store = {
      async *follow() {
        yield { events: [], position: { sequence: 0, mark: '' }, lag: 0 }
      },
    }
    const [one, other] = [{ store }, { store }] as unknown as readonly [App, App]
    assert.equal(await openAll(one), 50)
    assert.equal(await openAll(other), 50)
  })
})
