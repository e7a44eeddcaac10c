import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { TextQueryMethod } from '../../../contract/gen/signet/object/v2/object_pb.ts'
import type { SearchQuerySchema as SearchQueryV1 } from '../../../contract/gen/signet/user/v1/query_pb.ts'
import { UserState as UserStateV1 } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import { type SearchQuerySchema, UserFieldName } from '../../../contract/gen/signet/user/v2/query_pb.ts'
import { Type, UserState } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { instant } from '../../kernel/instant.ts'
import { users } from '../users/index.ts'
import { attempts } from '../verifications/index.ts'

type Query = MessageInitShape<typeof SearchQuerySchema>

function human(userName: string, first: string, last: string, nick: string, email: string, phone?: string) {
  return {
    type: 'add_human',
    userName,
    profile: {
      firstName: first,
      lastName: last,
      nickName: nick,
      displayName: `${first} ${last}`,
      preferredLanguage: '',
      gender: 'unspecified',
    },
    email: { address: email, isVerified: true },
    ...(phone && { phone: { number: phone, isVerified: false } }),
    needsSetUp: false,
  } as const
}

function machine(userName: string, name: string) {
  return { type: 'add_machine', userName, name, description: '', accessTokenType: 'bearer' } as const
}

const people = [
  ['1', 'north', human('Anna', 'Anna', 'Zürcher', 'Änni', 'Anna@Example.com', '+41790000001')],
  ['2', 'north', human('bob', 'Bob', 'young', '', 'bob@example.com')],
  ['3', 'north', human('CARLA_1', 'Carla', 'Xu', '100%', 'carla@example.org', '+41790000003')],
  ['4', 'north', machine('deploy', 'Deployer')],
  ['5', 'south', human('emil', 'Emil', 'Weiß', '', 'emil@example.com')],
  ['6', 'south', machine('Fetch', 'fetcher')],
] as const

function text(method: TextQueryMethod) {
  return { method }
}
const { EQUALS, EQUALS_IGNORE_CASE, STARTS_WITH, STARTS_WITH_IGNORE_CASE } = TextQueryMethod
const { CONTAINS, CONTAINS_IGNORE_CASE, ENDS_WITH, ENDS_WITH_IGNORE_CASE } = TextQueryMethod

function userName(name: string, method: TextQueryMethod): Query {
  return {
    query: { case: 'userNameQuery', value: { userName: name, ...text(method) } },
  }
}
function and(...queries: Query[]): Query {
  return { query: { case: 'andQuery', value: { queries } } }
}
function or(...queries: Query[]): Query {
  return { query: { case: 'orQuery', value: { queries } } }
}
function not(query: Query): Query {
  return { query: { case: 'notQuery', value: { query } } }
}

/** Each query and the ids it finds among all. */
const table: readonly (readonly [string, Query, string])[] = [
  ['user name equals', userName('Anna', EQUALS), '1'],
  ['user name equals in another case', userName('anna', EQUALS), ''],
  ['user name equals ignoring case', userName('CARLA_1', EQUALS_IGNORE_CASE), '3'],
  ['user name starts with', userName('CARLA_', STARTS_WITH), '3'],
  ['user name starts with in another case', userName('carla', STARTS_WITH), ''],
  ['user name starts with ignoring case', userName('CARLA', STARTS_WITH_IGNORE_CASE), '3'],
  ['user name contains', userName('e', CONTAINS), '456'],
  ['user name contains a character that is a pattern in SQL', userName('_', CONTAINS), '3'],
  ['user name contains ignoring case', userName('F', CONTAINS_IGNORE_CASE), '6'],
  ['user name ends with', userName('A_1', ENDS_WITH), '3'],
  ['user name ends with ignoring case', userName('a_1', ENDS_WITH_IGNORE_CASE), '3'],
  ['login name', { query: { case: 'loginNameQuery', value: { loginName: 'BOB', ...text(EQUALS_IGNORE_CASE) } } }, '2'],
  ['first name', { query: { case: 'firstNameQuery', value: { firstName: 'Em', ...text(STARTS_WITH) } } }, '5'],
  ['last name', { query: { case: 'lastNameQuery', value: { lastName: 'WEISS', ...text(EQUALS_IGNORE_CASE) } } }, '5'],
  ['last name as typed', { query: { case: 'lastNameQuery', value: { lastName: 'Weiß', ...text(EQUALS) } } }, '5'],
  ['nick name', { query: { case: 'nickNameQuery', value: { nickName: '%', ...text(ENDS_WITH) } } }, '3'],
  [
    'nick name in another case',
    { query: { case: 'nickNameQuery', value: { nickName: 'ÄNNI', ...text(EQUALS_IGNORE_CASE) } } },
    '1',
  ],
  ['display name', { query: { case: 'displayNameQuery', value: { displayName: 'a X', ...text(CONTAINS) } } }, '3'],
  [
    'display name of a machine',
    { query: { case: 'displayNameQuery', value: { displayName: 'Deployer', ...text(EQUALS) } } },
    '4',
  ],
  ['email', { query: { case: 'emailQuery', value: { emailAddress: 'ANNA@', ...text(STARTS_WITH_IGNORE_CASE) } } }, '1'],
  [
    'email as typed',
    { query: { case: 'emailQuery', value: { emailAddress: 'Anna@Example.com', ...text(EQUALS) } } },
    '1',
  ],
  ['phone', { query: { case: 'phoneQuery', value: { number: '+417900000', ...text(STARTS_WITH) } } }, '13'],
  ['state', { query: { case: 'stateQuery', value: { state: UserState.INACTIVE } } }, '2'],
  ['a state that no user has', { query: { case: 'stateQuery', value: { state: UserState.DELETED } } }, ''],
  ['type human', { query: { case: 'typeQuery', value: { type: Type.HUMAN } } }, '1235'],
  ['type machine', { query: { case: 'typeQuery', value: { type: Type.MACHINE } } }, '46'],
  ['ids', { query: { case: 'inUserIdsQuery', value: { userIds: ['6', '1', 'who'] } } }, '16'],
  ['no ids', { query: { case: 'inUserIdsQuery', value: { userIds: [] } } }, ''],
  [
    'emails',
    { query: { case: 'inUserEmailsQuery', value: { userEmails: ['BOB@example.com', 'emil@example.com'] } } },
    '25',
  ],
  ['organization', { query: { case: 'organizationIdQuery', value: { organizationId: 'south' } } }, '56'],
  ['not', not(userName('e', CONTAINS)), '123'],
  [
    'not a phone that many lack',
    not({ query: { case: 'phoneQuery', value: { number: '+4179', ...text(STARTS_WITH) } } }),
    '2456',
  ],
  ['or', or(userName('Anna', EQUALS), userName('bob', EQUALS)), '12'],
  ['and', and(userName('e', CONTAINS), { query: { case: 'typeQuery', value: { type: Type.HUMAN } } }), '5'],
  [
    'or, and, not together',
    or(and(userName('e', CONTAINS), not(userName('Fetch', EQUALS))), userName('bob', EQUALS)),
    '245',
  ],
  ['an empty or', or(), ''],
  ['an empty and', and(), '123456'],
]

for (const engine of bothEngines) {
  suite(`lists of users on ${engine.name}`, () => {
    let world: SmallWorld
    before(async () => {
      world = await openSmallWorld(engine)
      for (const [index, [userId, organizationId, command]] of people.entries()) {
        await world.store.write({ actor: 'server', at: instant(NOON + index) }, (work) =>
          work.decide(users, userId, command, organizationId),
        )
      }
      await world.store.write({ actor: 'server', at: instant(NOON + 100) }, async (work) => {
        await work.decide(users, '2', { type: 'deactivate' })
        // Removed users are in no list.
        await work.decide(users, '7', machine('seven', 'Seven'), 'north')
        await work.decide(users, '7', { type: 'remove' })
      })
    })
    after(() => world.dispose())

    const list = (
      queries: readonly Query[] = [],
      rest: { sortingColumn?: UserFieldName; query?: { offset?: bigint; limit?: number; asc?: boolean } } = {},
      bearer = 'boss',
    ) => world.call(UserService.method.listUsers, { queries: [...queries], query: { asc: true }, ...rest }, { bearer })
    const idsOf = async (...args: Parameters<typeof list>) =>
      (await list(...args)).result.map(({ userId }) => userId).join('')

    for (const [what, query, ids] of table) {
      test(`by ${what}`, async () => assert.equal(await idsOf([query]), ids))
    }

    test('all queries of the list must hold', async () =>
      assert.equal(await idsOf([userName('e', CONTAINS), userName('o', CONTAINS)]), '4'))

    const sorted: readonly (readonly [UserFieldName, string])[] = [
      [UserFieldName.UNSPECIFIED, '123456'],
      [UserFieldName.CREATION_DATE, '123456'],
      [UserFieldName.USER_NAME, '123456'],
      [UserFieldName.FIRST_NAME, '461235'],
      [UserFieldName.LAST_NAME, '465321'],
      [UserFieldName.NICK_NAME, '245631'],
      [UserFieldName.DISPLAY_NAME, '123456'],
      [UserFieldName.EMAIL, '461235'],
      [UserFieldName.STATE, '134562'],
      [UserFieldName.TYPE, '123546'],
    ]
    for (const [sortingColumn, ids] of sorted) {
      test(`sorted by column ${sortingColumn}, both ways`, async () => {
        assert.equal(await idsOf([], { sortingColumn }), ids)
        assert.equal(await idsOf([], { sortingColumn, query: { asc: false } }), ids.split('').reverse().join(''))
        assert.equal((await list([], { sortingColumn })).sortingColumn, sortingColumn)
      })
    }

    test('in pages that tell the total and do not overlap', async () => {
      const pages = await Promise.all(
        [0n, 2n, 4n, 6n].map((offset) => list([], { query: { offset, limit: 2, asc: true } })),
      )
      assert.deepEqual(
        pages.map(({ result }) => result.map(({ userId }) => userId).join('')),
        ['12', '34', '56', ''],
      )
      const { sequence } = await world.store.find(users, { limit: 1 })
      for (const { details } of pages) {
        assert.equal(details?.totalResult, 6n)
        assert.equal(details.processedSequence, BigInt(sequence))
        assert.equal(details.timestamp?.seconds, BigInt(NOON / 1000))
      }
      assert.equal(await idsOf([], { query: { offset: 2n ** 64n - 1n } }), '')
    })

    test('of at most a thousand', async () => {
      await list([], { query: { limit: 1000 } })
      await isRefused(list([], { query: { limit: 1001 } }), 'list.limit_too_large', 'query.limit')
    })

    test('show what the caller may see, and always the caller', async () => {
      assert.equal(await idsOf([], {}, 'north'), '1234')
      assert.equal(await idsOf([], {}, 'viewer'), '1234')
      assert.equal((await list([], {}, 'south')).details?.totalResult, 2n)
      assert.equal(await idsOf([not(userName('bob', EQUALS))], {}, 'south'), '56')
      assert.equal(await idsOf([], {}, 'nobody'), '')
      await world.store.write({ actor: 'server', at: NOON }, (work) =>
        work.decide(users, 'nobody', machine('n', 'N'), 'north'),
      )
      assert.equal(await idsOf([], {}, 'nobody'), 'nobody')
      await world.store.write({ actor: 'server', at: NOON }, (work) => work.decide(users, 'nobody', { type: 'remove' }))
    })

    test('have an end to nesting and to conditions', async () => {
      let deep = userName('Anna', EQUALS)
      for (let level = 1; level < 15; level++) deep = and(deep)
      assert.equal(await idsOf([deep]), '1')
      await isRefused(list([and(deep)]), 'user.query_invalid', 'queries')
      const many = Array.from({ length: 99 }, () => userName('Anna', STARTS_WITH))
      assert.equal(await idsOf([or(...many)]), '1')
      await isRefused(list([or(...many, userName('a', EQUALS))]), 'user.query_invalid', 'queries')
    })

    test('refuse a query without a condition and text that no name can have', async () => {
      await isRefused(list([{}]), 'request.invalid')
      await isRefused(list([userName('a\u0000', CONTAINS)]), 'store.text_invalid')
    })

    suite('of one organization (v1)', () => {
      const listV1 = async (queries: readonly MessageInitShape<typeof SearchQueryV1>[] = [], bearer = 'north') => {
        const request = { queries: [...queries], query: { asc: true } }
        return world.call(ManagementService.method.listUsers, request, { bearer })
      }

      test('show its users only', async () => {
        const { result, details } = await listV1()
        assert.deepEqual(
          result.map(({ id }) => id),
          ['1', '2', '3', '4'],
        )
        assert.equal(details?.totalResult, 4n)
        assert.equal(details.viewTimestamp?.seconds, BigInt(NOON / 1000))
        assert.deepEqual(
          (await listV1([], 'south')).result.map(({ id }) => id),
          ['5', '6'],
        )
      })

      test('are filtered by the same conditions', async () => {
        const ids = async (query: MessageInitShape<typeof SearchQueryV1>) =>
          (await listV1([query])).result.map(({ id }) => id).join('')
        assert.equal(await ids({ query: { case: 'stateQuery', value: { state: UserStateV1.INACTIVE } } }), '2')
        assert.equal(await ids({ query: { case: 'stateQuery', value: { state: UserStateV1.SUSPEND } } }), '')
        assert.equal(await ids({ query: { case: 'userNameQuery', value: { userName: 'BOB', method: 1 } } }), '2')
        assert.equal(
          await ids({
            query: { case: 'notQuery', value: { query: { query: { case: 'typeQuery', value: { type: 2 } } } } },
          }),
          '123',
        )
      })

      test('find users locked by wrong attempts as locked and not as active during the lock', async (t) => {
        const wrong = { type: 'try', path: 'password', matches: false, most: 1, at: NOON } as const
        const lock = (id: string, owner: string) =>
          world.store.write(world.origin(), (work) => work.decide(attempts, id, wrong, owner))
        for (const [id, owner] of [
          ['1', 'north'],
          ['2', 'north'],
          ['5', 'south'],
        ] as const) {
          await isRefused(lock(id, owner), 'password.wrong')
        }
        t.after(() => {
          world.clock.now = NOON
        })
        const findV1 = async (state: UserStateV1) =>
          (await listV1([{ query: { case: 'stateQuery', value: { state } } }])).result.map(({ id }) => id).join('')
        const findV2 = async (state: UserState) => {
          const queries: Query[] = [{ query: { case: 'stateQuery', value: { state } } }]
          const request = { queries, query: { asc: true } }
          return world.call(UserService.method.listUsers, request, { bearer: 'boss' })
        }
        const idsV2 = async (state: UserState) => (await findV2(state)).result.map(({ userId }) => userId).join('')
        assert.deepEqual([await findV1(UserStateV1.LOCKED), await findV1(UserStateV1.ACTIVE)], ['1', '34'])
        assert.equal(await findV1(UserStateV1.INACTIVE), '2')
        assert.equal(await idsV2(UserState.LOCKED), '15')
        assert.doesNotMatch(await idsV2(UserState.ACTIVE), /[125]/)
        for (const { state, lockedUntil } of (await findV2(UserState.LOCKED)).result) {
          assert.equal(state, UserState.LOCKED)
          assert.equal(lockedUntil && timestampMs(lockedUntil), NOON + 60_000)
        }
        // Whoever may not sign in for another reason, too, is not told to wait.
        const [inactive] = (await findV2(UserState.INACTIVE)).result
        assert.deepEqual([inactive?.userId, inactive?.lockedUntil], ['2', undefined])
        world.clock.now = instant(NOON + 60_000)
        assert.deepEqual([await findV1(UserStateV1.LOCKED), await findV1(UserStateV1.ACTIVE)], ['', '134'])
        for (const { lockedUntil } of (await findV2(UserState.ACTIVE)).result) assert.equal(lockedUntil, undefined)
      })
    })
  })
}
