/** Requests as Entra ID and Okta send them, written down from their public documentation, and what must come of each. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { engines } from '../support/engines.ts'
import {
  type Body,
  ENTERPRISE_SCHEMA,
  GROUP_SCHEMA,
  openScimWorld,
  PATCH_SCHEMA,
  type ScimWorld,
  USER_SCHEMA,
} from '../support/scim.ts'

/** Members that the resource must have afterwards; undefined: it must not have them. */
type Expected = Readonly<Record<string, unknown>>

const ENTRA_USER = {
  schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1',
  active: true,
  emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  roles: [],
}

const OKTA_USER = {
  schemas: [USER_SCHEMA],
  userName: 'test.user@okta.local',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq Abc!',
  active: true,
}

/** Name, operations, and the resource afterwards. Each is sent to a user of its own, made like the first of its directory. */
const ENTRA_PATCHES: readonly (readonly [string, readonly object[], Expected])[] = [
  [
    'multi-valued and single-valued attributes at once',
    [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    ],
    {
      emails: [{ value: 'updatedEmail@microsoft.com', primary: true, type: 'work' }],
      name: { formatted: 'givenName familyName', familyName: 'updatedFamilyName', givenName: 'givenName' },
    },
  ],
  [
    'the user name',
    [{ op: 'Replace', path: 'userName', value: '5b50642d@contoso.com' }],
    { userName: '5b50642d@contoso.com' },
  ],
  ['active as a text', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
  ['active as a value', [{ op: 'Replace', path: 'active', value: false }], { active: false }],
  [
    'without a path',
    [{ op: 'replace', value: { active: false, displayName: 'Bjfe' } }],
    { active: false, displayName: 'Bjfe' },
  ],
  [
    'dotted names and extensions without a path',
    [
      {
        op: 'Add',
        value: {
          'name.givenName': 'Given',
          [`${ENTERPRISE_SCHEMA}:department`]: 'Sales',
          [`${ENTERPRISE_SCHEMA}:employeeNumber`]: '17',
        },
      },
    ],
    {
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'Given' },
      [ENTERPRISE_SCHEMA]: { department: 'Sales', employeeNumber: '17' },
    },
  ],
  [
    'an address that is not there yet',
    [
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Redmond' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+41 79 123 45 67' },
    ],
    {
      addresses: [{ type: 'work', locality: 'Redmond' }],
      phoneNumbers: [{ value: '+41791234567', type: 'mobile', primary: true }],
    },
  ],
  [
    'the manager as a text',
    [{ op: 'Add', path: `${ENTERPRISE_SCHEMA}:manager`, value: '271' }],
    { [ENTERPRISE_SCHEMA]: { manager: { value: '271' } } },
  ],
  [
    'the manager, and takes it away again',
    [
      { op: 'Add', path: `${ENTERPRISE_SCHEMA}:manager.value`, value: '271' },
      { op: 'Remove', path: `${ENTERPRISE_SCHEMA}:manager` },
    ],
    { [ENTERPRISE_SCHEMA]: undefined },
  ],
  [
    'an attribute of an extension of its own',
    [{ op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:CustomExtensionName:2.0:User:tag', value: '701984' }],
    { 'urn:ietf:params:scim:schemas:extension:CustomExtensionName:2.0:User': { tag: '701984' } },
  ],
  [
    'a title that is replaced before it was there, and removed',
    [
      { op: 'Replace', path: 'title', value: 'Boss' },
      { op: 'Remove', path: 'title' },
    ],
    { title: undefined },
  ],
  [
    'roles as a list',
    [{ op: 'Add', path: 'roles', value: [{ value: 'a', primary: 'True' }] }],
    { roles: [{ value: 'a', primary: true }] },
  ],
]

/** Name, operations, and the members afterwards, of users 0 to 2; the group begins with users 0 and 1 and the name "Group". */
type GroupPatch = readonly [string, (id: (user: number) => string) => readonly object[], readonly number[], string?]

const ENTRA_GROUP_PATCHES: readonly GroupPatch[] = [
  ['a name', () => [{ op: 'Replace', path: 'displayName', value: '1879db59group' }], [0, 1], '1879db59group'],
  ['a member', (id) => [{ op: 'Add', path: 'members', value: [{ $ref: null, value: id(2) }] }], [0, 1, 2]],
  ['a member who is there', (id) => [{ op: 'Add', path: 'members', value: [{ $ref: null, value: id(1) }] }], [0, 1]],
  ['a removal', (id) => [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: id(1) }] }], [0]],
  ['a removal by filter', (id) => [{ op: 'Remove', path: `members[value eq "${id(0)}"]` }], [1]],
  ['a removal of who is not in it', (id) => [{ op: 'Remove', path: `members[value eq "${id(2)}"]` }], [0, 1]],
  ['a removal of nobody', () => [{ op: 'Remove', path: 'members', value: [] }], [0, 1]],
  ['a removal of everybody', () => [{ op: 'Remove', path: 'members' }], []],
  [
    'one of each',
    (id) => [
      { op: 'Remove', path: 'members', value: [{ value: id(0) }] },
      { op: 'Add', path: 'members', value: [{ value: id(2) }] },
      { op: 'Replace', path: 'displayName', value: 'Renamed' },
      { op: 'Add', path: 'externalId', value: 'new-external' },
    ],
    [1, 2],
    'Renamed',
  ],
]

const OKTA_GROUP_PATCHES: readonly GroupPatch[] = [
  ['a name', () => [{ op: 'replace', value: { id: 'abf4dd94', displayName: 'Test SCIMv2' } }], [0, 1], 'Test SCIMv2'],
  [
    'a member who goes and one who comes',
    (id) => [
      { op: 'remove', path: `members[value eq "${id(0)}"]` },
      { op: 'add', path: 'members', value: [{ value: id(2), display: 'test.user@okta.local' }] },
    ],
    [1, 2],
  ],
  [
    'all members',
    (id) => [{ op: 'replace', path: 'members', value: [{ value: id(2), display: 'x' }, { value: id(0) }] }],
    [0, 2],
  ],
  ['no members', () => [{ op: 'replace', path: 'members', value: [] }], []],
  ['members without a path', (id) => [{ op: 'add', value: { members: [{ value: id(2) }] } }], [0, 1, 2]],
]

const OKTA_PATCHES: readonly (readonly [string, readonly object[], Expected])[] = [
  ['a deactivation', [{ op: 'replace', value: { active: false } }], { active: false }],
  ['a password', [{ op: 'replace', value: { password: 'Another 7 secret!' } }], { password: undefined, active: true }],
  [
    'a profile',
    [
      {
        op: 'replace',
        value: { name: { givenName: 'Other' }, nickName: 'O', emails: [{ value: 'o@okta.local', primary: true }] },
      },
    ],
    {
      name: { formatted: 'Test User', familyName: 'User', givenName: 'Other' },
      nickName: 'O',
      emails: [{ value: 'o@okta.local', primary: true }],
    },
  ],
  [
    'a second address that becomes the main one',
    [{ op: 'add', path: 'emails', value: [{ value: 'second@okta.local', type: 'home', primary: true }] }],
    {
      emails: [
        { value: 'test.user@okta.local', primary: false, type: 'work' },
        { value: 'second@okta.local', primary: true, type: 'home' },
      ],
    },
  ],
  ['an empty list of operations', [], { userName: 'test.user@okta.local' }],
]

for (const engine of engines) {
  suite(`directories on ${engine.name}`, () => {
    let world: ScimWorld

    before(async () => {
      world = await openScimWorld(engine)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    const meets = (body: Body, expected: Expected, about: string) => {
      for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, `${about}: ${name}`)
    }
    const runAll = async (user: object, patches: typeof ENTRA_PATCHES) => {
      for (const [about, Operations, expected] of patches) {
        const created = await world.send('POST', '/Users', { body: user })
        assert.equal(created.status, 201, JSON.stringify(created.body))
        const path = `/Users/${created.body.id}`
        const reply = await world.send('PATCH', path, { body: { schemas: [PATCH_SCHEMA], Operations } })
        assert.equal(reply.status, 200, `${about}: ${JSON.stringify(reply.body)}`)
        meets(reply.body, expected, about)
        meets((await world.send('GET', path)).body, expected, about)
        assert.equal((await world.send('DELETE', path)).status, 204)
      }
    }

    test('Entra ID tests the connection, finds nobody, creates, and finds the user', async () => {
      const find = (text: string) => world.send('GET', `/Users?filter=${encodeURIComponent(text)}`)
      const none = await find('userName eq "non-existent user"')
      assert.deepEqual([none.status, none.body.totalResults, none.body.Resources], [200, 0, []])
      const { status, body } = await world.send('POST', '/Users', { body: ENTRA_USER })
      assert.equal(status, 201)
      for (const filter of [
        `userName eq "${ENTRA_USER.userName}"`,
        `externalId eq "${ENTRA_USER.externalId}"`,
        `emails[type eq "work"].value eq "${ENTRA_USER.emails[0]?.value}"`,
      ]) {
        assert.equal((await find(filter)).body.Resources[0]?.id, body.id, filter)
      }
      const again = await world.send('POST', '/Users', { body: ENTRA_USER })
      assert.deepEqual([again.status, again.body.scimType], [409, 'uniqueness'])
      assert.equal((await world.send('GET', `/Users/${body.id}`)).status, 200)
      assert.equal((await world.send('GET', '/Users/5171a35d82074e068ce2')).status, 404)
      assert.equal((await world.send('DELETE', `/Users/${body.id}`)).status, 204)
    })

    test('Entra ID changes users', () => runAll(ENTRA_USER, ENTRA_PATCHES))

    test('Okta looks for the user, creates, reads, replaces, and deactivates', async () => {
      const filter = encodeURIComponent('userName eq "test.user@okta.local"')
      const none = await world.send('GET', `/Users?filter=${filter}&startIndex=1&count=100`)
      assert.deepEqual([none.body.totalResults, none.body.startIndex, none.body.Resources], [0, 1, []])
      const created = await world.send('POST', '/Users', { body: OKTA_USER })
      assert.equal(created.status, 201)
      assert.equal(created.body.password, undefined)
      const path = `/Users/${created.body.id}`
      const { status, body } = await world.send('GET', path)
      assert.equal(status, 200)
      const replaced = await world.send('PUT', path, { body: { ...body, title: 'New', active: false } })
      assert.deepEqual([replaced.status, replaced.body.title, replaced.body.active], [200, 'New', false])
      const list = await world.send('GET', '/Users?startIndex=1&count=100')
      assert.ok(list.body.Resources.some(({ id }: Body) => id === created.body.id))
      assert.equal((await world.send('DELETE', path)).status, 204)
    })

    test('Okta changes users', () => runAll(OKTA_USER, OKTA_PATCHES))

    const runGroups = async (directory: string, patches: readonly GroupPatch[]) => {
      const users: string[] = []
      for (const name of ['a', 'b', 'c']) users.push((await world.create(`${directory}-${name}`)).id)
      const id = (user: number) => users[user] ?? assert.fail('there are three')
      for (const [about, operations, members, name = 'Group'] of patches) {
        const body = { schemas: [GROUP_SCHEMA], displayName: 'Group', members: [{ value: id(0) }, { value: id(1) }] }
        const created = await world.send('POST', '/Groups', { body })
        assert.equal(created.status, 201, JSON.stringify(created.body))
        const path = `/Groups/${created.body.id}`
        const Operations = operations(id)
        const reply = await world.send('PATCH', path, { body: { schemas: [PATCH_SCHEMA], Operations } })
        assert.equal(reply.status, 200, `${about}: ${JSON.stringify(reply.body)}`)
        for (const { body: shown } of [reply, await world.send('GET', path)]) {
          const values = (shown.members ?? []).map(({ value }: Body) => value)
          assert.deepEqual([shown.displayName, values], [name, members.map(id).sort()], about)
        }
        assert.equal((await world.send('DELETE', path)).status, 204)
      }
    }

    test('Entra ID looks for a group, creates it, and reads it without members', async () => {
      const find = (filter: string) =>
        world.send('GET', `/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`)
      assert.equal((await find('displayName eq "displayName"')).body.totalResults, 0)
      const body = {
        schemas: [GROUP_SCHEMA, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'displayName',
        meta: { resourceType: 'Group' },
      }
      const created = await world.send('POST', '/Groups', { body })
      assert.deepEqual([created.status, created.body.externalId], [201, body.externalId])
      for (const filter of ['displayName eq "displayName"', `externalId eq "${body.externalId}"`]) {
        assert.equal((await find(filter)).body.Resources[0]?.id, created.body.id, filter)
      }
      const path = `/Groups/${created.body.id}`
      assert.equal((await world.send('GET', `${path}?excludedAttributes=members`)).status, 200)
      const member = encodeURIComponent(`id eq "${created.body.id}" and members eq "123456789012345678"`)
      assert.equal((await world.send('GET', `/Groups?attributes=id&filter=${member}`)).body.totalResults, 0)
      assert.equal((await world.send('DELETE', path)).status, 204)
    })

    test('Entra ID changes groups', () => runGroups('entra', ENTRA_GROUP_PATCHES))

    test('Okta reads groups, creates one, replaces it with its members, and removes it', async () => {
      const list = await world.send('GET', '/Groups?startIndex=1&count=100')
      assert.deepEqual([list.status, list.body.totalResults, list.body.Resources], [200, 0, []])
      const { id } = await world.create('okta-member')
      const body = { schemas: [GROUP_SCHEMA], displayName: 'Test SCIMv2', members: [] as object[] }
      const created = await world.send('POST', '/Groups', { body })
      assert.equal(created.status, 201)
      const path = `/Groups/${created.body.id}`
      const members = [{ value: id, display: 'okta-member' }]
      const replaced = await world.send('PUT', path, { body: { ...body, id: created.body.id, members } })
      assert.deepEqual([replaced.status, replaced.body.members[0].value], [200, id])
      assert.equal((await world.send('DELETE', path)).status, 204)
    })

    test('Okta changes groups', () => runGroups('okta', OKTA_GROUP_PATCHES))

    test('a PATCH that cannot be applied changes nothing', async () => {
      const { id, meta } = await world.create('unpatched', { roles: [{ value: 'a' }] })
      const cases: [object, string][] = [
        [{ op: 'copy', path: 'title', value: 'x' }, 'invalidValue'],
        [{ op: 'remove' }, 'noTarget'],
        [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'x@example.com' }, 'noTarget'],
        [{ op: 'add', path: 'shoes', value: 1 }, 'invalidPath'],
        [{ op: 'add', path: 'emails[', value: 1 }, 'invalidPath'],
        [{ op: 'add', path: 'emails[shoe eq 1].value', value: 'x' }, 'invalidPath'],
        [{ op: 'replace', path: 'title[type eq "x"]', value: 'x' }, 'invalidPath'],
        [{ op: 'replace', path: 'id', value: '1' }, 'mutability'],
        [{ op: 'replace', path: 'nickName', value: 10 }, 'invalidValue'],
        [{ op: 'replace', path: 'nickName', value: ['a', 'b'] }, 'invalidValue'],
        [{ op: 'remove', path: 'userName' }, 'invalidValue'],
        [{ op: 'remove', path: 'name.givenName' }, 'invalidValue'],
        [{ op: 'replace', value: 'x' }, 'invalidValue'],
        // A request whose member is misspelt must not remove what is there.
        [{ op: 'add', path: 'roles', valeu: [{ value: 'b' }] }, 'invalidValue'],
        [{ op: 'replace', path: 'title' }, 'invalidValue'],
        [
          {
            op: 'add',
            path: 'roles',
            value: [
              { value: 'a', primary: true },
              { value: 'b', primary: true },
            ],
          },
          'invalidValue',
        ],
      ]
      for (const [operation, scimType] of cases) {
        const operations = [{ op: 'replace', path: 'title', value: 'half' }, operation]
        const { status, body } = await world.patch(id, ...operations)
        assert.deepEqual([status, body.scimType], [400, scimType], JSON.stringify(operation))
      }
      assert.equal((await world.send('GET', `/Users/${id}`)).body.meta.version, meta.version)
    })
  })
}
