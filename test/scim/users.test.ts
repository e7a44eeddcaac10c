/** Users by SCIM: what a directory writes is what it and the API read. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagedUserService } from '../../contract/gen/signet/directory_sync/v1/managed_user_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { UserState } from '../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../support/engines.ts'
import { ENTERPRISE_SCHEMA, newUser, openScimWorld, type ScimWorld, USER_SCHEMA } from '../support/scim.ts'

const FULL = {
  externalId: '701984',
  name: {
    formatted: 'Ms. Barbara J Jensen, III',
    familyName: 'Jensen',
    givenName: 'Barbara',
    middleName: 'Jane',
    honorificPrefix: 'Ms.',
    honorificSuffix: 'III',
  },
  displayName: 'Babs Jensen',
  nickName: 'Babs',
  profileUrl: 'http://login.example.com/bjensen',
  emails: [
    { value: 'babs@example.com', primary: true, type: 'work' },
    { value: 'babs@jensen.org', primary: false, type: 'home' },
  ],
  phoneNumbers: [
    { value: '+41 71 123 45 67', type: 'work', primary: true },
    { value: '555-5555', type: 'fax' },
  ],
  title: 'Tour Guide',
  userType: 'Employee',
  preferredLanguage: 'en-US',
  locale: 'de-CH',
  timezone: 'Europe/Zurich',
  active: true,
  ims: [{ value: 'someaimhandle', type: 'aim' }],
  photos: [{ value: 'https://photos.example.com/1.png', type: 'photo', primary: true }],
  addresses: [{ type: 'work', streetAddress: '100 Main', locality: 'Zürich', country: 'CH', primary: true }],
  entitlements: [{ value: 'my-entitlement', display: 'added' }],
  roles: [{ value: 'my-role', type: 'main', primary: true }],
  [ENTERPRISE_SCHEMA]: { employeeNumber: '7', department: 'Tours', manager: { value: '26118915' } },
  shoeSize: 42,
  'urn:example:schemas:2.0:Badge': { color: 'red' },
}

for (const engine of engines) {
  suite(`users by SCIM on ${engine.name}`, () => {
    let world: ScimWorld
    const detach = (userId: string) => world.call(ManagedUserService.method.detachUser, { userId }, world.owner)

    before(async () => {
      world = await openScimWorld(engine)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    const metadataOf = async (id: string) => {
      const { result } = await world.call(ManagementService.method.listUserMetadata, { id }, world.owner)
      return Object.fromEntries(result.map(({ key, value }) => [key, Buffer.from(value).toString()]))
    }
    const stateOf = async (userId: string) =>
      (await world.call(UserService.method.getUserByID, { userId }, world.owner)).user?.state

    test('are described to everybody', async () => {
      for (const send of [world.send, world.sendHttp2]) {
        const config = await send('GET', '/ServiceProviderConfig', { token: '' })
        assert.equal(config.status, 200)
        assert.equal(config.header('content-type'), 'application/scim+json')
        assert.equal(config.body.etag.supported, true)
        const types = await send('GET', '/ResourceTypes', { token: '' })
        assert.equal(types.body.Resources[0].schema, USER_SCHEMA)
        const schema = await send('GET', `/Schemas/${ENTERPRISE_SCHEMA}`, { token: '' })
        assert.equal(schema.body.id, ENTERPRISE_SCHEMA)
        assert.equal((await send('GET', '/Schemas/urn:nothing', { token: '' })).status, 404)
        for (const place of ['Schemas', 'ResourceTypes', 'ServiceProviderConfig']) {
          const filtered = await send('GET', `/${place}?filter=${encodeURIComponent('id eq "x"')}`, { token: '' })
          assert.equal(filtered.status, 403, place)
        }
      }
    })

    test('are created with little', async () => {
      const { status, body, header } = await world.send('POST', '/Users', { body: newUser('little') })
      assert.equal(status, 201)
      assert.equal(header('location'), body.meta.location)
      assert.equal(header('etag'), body.meta.version)
      assert.deepEqual(body.name, { formatted: 'Ada little', familyName: 'little', givenName: 'Ada' })
      assert.equal(body.displayName, 'Ada little')
      assert.equal(body.active, true)
      const { user } = await world.call(UserService.method.getUserByID, { userId: body.id }, world.owner)
      assert.equal(user?.type.case === 'human' && user.type.value.email?.isVerified, true)
      assert.equal((await world.outbox()).length, 0)
    })

    test('are answered as they are read afterwards', async () => {
      for (const more of [{}, { active: false }, { active: false, externalId: '7', title: 'Guide' }]) {
        const { status, body, header } = await world.send('POST', '/Users', {
          body: newUser(`read-${Object.keys(more).length}`, more),
        })
        assert.equal(status, 201)
        const read = await world.sendHttp2('GET', `/Users/${body.id}`)
        assert.deepEqual(body, read.body)
        assert.equal(header('etag'), read.header('etag'))
      }
    })

    test('keep everything that a directory sends', async () => {
      const { userName, ...created } = await world.create('full', FULL)
      const { body, header } = await world.sendHttp2('GET', `/Users/${created.id}`)
      assert.equal(header('content-location'), body.meta.location)
      assert.deepEqual({ userName, ...created }, body)
      const { schemas, id: _, meta, phoneNumbers, name, ...rest } = body
      assert.deepEqual(schemas, [USER_SCHEMA, 'urn:example:schemas:2.0:Badge', ENTERPRISE_SCHEMA])
      assert.equal(meta.resourceType, 'User')
      assert.equal(name.formatted, 'Babs Jensen')
      assert.deepEqual(phoneNumbers, [
        { value: '+41711234567', primary: true, type: 'work' },
        { value: '555-5555', type: 'fax' },
      ])
      const { name: _name, phoneNumbers: _phones, ...expected } = FULL
      assert.deepEqual(rest, { userName: 'full', ...expected })
      assert.deepEqual(await metadataOf(created.id), {
        'urn:zitadel:scim:externalId': '701984',
        'urn:zitadel:scim:name.middleName': 'Jane',
        'urn:zitadel:scim:name.honorificPrefix': 'Ms.',
        'urn:zitadel:scim:name.honorificSuffix': 'III',
        'urn:zitadel:scim:profileUrl': 'http://login.example.com/bjensen',
        'urn:zitadel:scim:title': 'Tour Guide',
        'urn:zitadel:scim:userType': 'Employee',
        'urn:zitadel:scim:locale': 'de-CH',
        'urn:zitadel:scim:timezone': 'Europe/Zurich',
        'urn:zitadel:scim:ims': '[{"value":"someaimhandle","type":"aim"}]',
        'urn:zitadel:scim:photos': '[{"value":"https://photos.example.com/1.png","type":"photo","primary":true}]',
        'urn:zitadel:scim:addresses':
          '[{"type":"work","streetAddress":"100 Main","locality":"Zürich","country":"CH","primary":true}]',
        'urn:zitadel:scim:entitlements': '[{"value":"my-entitlement","display":"added"}]',
        'urn:zitadel:scim:roles': '[{"value":"my-role","type":"main","primary":true}]',
        'urn:zitadel:scim:emails':
          '[{"value":"babs@example.com","primary":true,"type":"work"},{"value":"babs@jensen.org","primary":false,"type":"home"}]',
        'urn:zitadel:scim:phoneNumbers':
          '[{"value":"+41711234567","primary":true,"type":"work"},{"value":"555-5555","type":"fax"}]',
        'urn:zitadel:scim:enterprise': '{"employeeNumber":"7","department":"Tours","manager":{"value":"26118915"}}',
        'urn:zitadel:scim:other': '{"shoeSize":42,"urn:example:schemas:2.0:Badge":{"color":"red"}}',
      })
    })

    test('are replaced as a whole', async () => {
      const { id } = await world.create('whole', { ...FULL, emails: [{ value: 'whole@example.com' }] })
      const { status, body } = await world.send('PUT', `/Users/${id}`, { body: newUser('whole2', { active: false }) })
      assert.equal(status, 200)
      assert.equal(body.userName, 'whole2')
      assert.equal(body.active, false)
      assert.equal(body.title, undefined)
      assert.equal(body.phoneNumbers, undefined)
      assert.deepEqual(Object.keys(await metadataOf(id)), ['urn:zitadel:scim:emails'])
      assert.equal(await stateOf(id), UserState.INACTIVE)
      // Absent leaves the state.
      const again = await world.send('PUT', `/Users/${id}`, { body: newUser('whole2') })
      assert.equal(again.body.active, false)
    })

    test('show what was changed elsewhere', async () => {
      const { id, meta } = await world.create('elsewhere', { emails: FULL.emails })
      await detach(id)
      await world.call(
        UserService.method.setEmail,
        { userId: id, email: 'new@example.com', verification: { case: 'isVerified', value: true } },
        world.owner,
      )
      const { body } = await world.send('GET', `/Users/${id}`)
      assert.deepEqual(body.emails, [
        { value: 'new@example.com', primary: true },
        { value: 'babs@jensen.org', primary: false, type: 'home' },
      ])
      assert.notEqual(body.meta.version, meta.version)
    })

    test('stay deactivated without `active`, which is shown again when others change it', async () => {
      const { id } = await world.create('without-active', { active: false })
      const { body } = await world.patch(id, { op: 'remove', path: 'active' })
      assert.equal(body.active, undefined)
      const again = await world.patch(id, { op: 'replace', path: 'title', value: 'Clerk' })
      assert.deepEqual([again.body.active, again.body.title], [undefined, 'Clerk'])
      const { user } = await world.call(UserService.method.getUserByID, { userId: id }, world.owner)
      assert.equal(user?.state, UserState.INACTIVE)
      await detach(id)
      await world.call(UserService.method.reactivateUser, { userId: id }, world.owner)
      assert.equal((await world.send('GET', `/Users/${id}`)).body.active, true)
    })

    test('are deleted once', async () => {
      const { id } = await world.create('gone')
      assert.equal((await world.send('DELETE', `/Users/${id}`)).status, 204)
      assert.equal((await world.send('DELETE', `/Users/${id}`)).status, 404)
      assert.equal((await world.send('GET', `/Users/${id}`)).status, 404)
      await assert.rejects(world.call(UserService.method.getUserByID, { userId: id }, world.owner))
    })

    test('are refused with the reason in the form of SCIM', async () => {
      await world.create('taken')
      const cases: [object, number, string, RegExp][] = [
        [newUser('taken'), 409, 'uniqueness', /.+/],
        [{ ...newUser('x'), userName: undefined }, 400, 'invalidValue', /userName/],
        [newUser('x', { name: { givenName: 'Ada' } }), 400, 'invalidValue', /familyName/],
        [newUser('x', { emails: undefined }), 400, 'invalidValue', /emails/],
        [newUser('x', { emails: [{ value: 'nothing' }] }), 400, 'invalidValue', /emails/],
        [newUser('x', { password: 'fooBar' }), 400, 'invalidValue', /password/i],
        [newUser('x', { profileUrl: 'ftp://example.com' }), 400, 'invalidValue', /profileUrl/],
        [newUser('x', { timezone: 'fooBar' }), 400, 'invalidValue', /timezone/],
        [newUser('x', { locale: 'fooBar' }), 400, 'invalidValue', /locale/],
        [newUser('x', { nickName: 10 }), 400, 'invalidValue', /nickName/],
        [newUser('x', { schemas: ['urn:other'] }), 400, 'invalidSyntax', /schemas/],
        [newUser('x', { shoes: 'x'.repeat(20_000) }), 400, 'invalidValue', /other/],
      ]
      for (const [body, status, scimType, detail] of cases) {
        const reply = await world.send('POST', '/Users', { body })
        assert.deepEqual([reply.status, reply.body.scimType, reply.body.status], [status, scimType, `${status}`])
        assert.match(reply.body.detail, detail)
        const detailSchema = 'urn:ietf:params:scim:api:zitadel:messages:2.0:ErrorDetail'
        const { schemas, [detailSchema]: told } = reply.body
        assert.deepEqual(schemas, ['urn:ietf:params:scim:api:messages:2.0:Error', ...(told ? [detailSchema] : [])])
        if (status === 409) assert.deepEqual(told, { id: 'user.username_taken', message: reply.body.detail })
      }
      const broken = await world.send('POST', '/Users', { body: '{"schemas":' })
      assert.deepEqual([broken.status, broken.body.scimType], [400, 'invalidSyntax'])
      const typed = await world.send('POST', '/Users', {
        body: newUser('x'),
        headers: { 'content-type': 'text/plain' },
      })
      assert.equal(typed.status, 415)
      const { id } = await world.create('readable')
      const asked = (headers: Record<string, string>) => world.send('GET', `/Users/${id}`, { headers })
      assert.equal((await asked({ 'content-type': 'text/plain' })).status, 200)
      assert.equal((await asked({ accept: 'text/html' })).status, 406)
      assert.equal((await asked({ accept: 'text/html, */*;q=0.1' })).status, 200)
    })

    test('are answered to HEAD like to GET, without the body', async () => {
      const { id, meta } = await world.create('head')
      for (const path of [`/Users/${id}`, '/Users?filter=userName%20eq%20%22head%22', '/Schemas', '/Users/nobody']) {
        for (const send of [world.send, world.sendHttp2]) {
          const [get, head] = [await send('GET', path), await send('HEAD', path)]
          assert.deepEqual([head.status, head.body], [get.status, undefined], path)
          for (const name of ['etag', 'content-type', 'content-length', 'content-location']) {
            assert.equal(head.header(name), get.header(name), `${name} of ${path}`)
          }
        }
      }
      const known = await world.send('HEAD', `/Users/${id}`, { headers: { 'if-none-match': meta.version } })
      assert.equal(known.status, 304)
      const wrong = await world.send('DELETE', '/Users')
      assert.deepEqual([wrong.status, wrong.header('allow')], [405, 'GET, HEAD, POST'])
    })

    test('have a version that a change can require', async () => {
      const { id, meta } = await world.create('version')
      const headers = { 'if-match': meta.version }
      const unchanged = await world.send('GET', `/Users/${id}`, { headers: { 'if-none-match': meta.version } })
      assert.equal(unchanged.status, 304)
      const put = await world.send('PUT', `/Users/${id}`, { body: newUser('version', { title: 'One' }), headers })
      assert.equal(put.status, 200)
      assert.notEqual(put.header('etag'), meta.version)
      for (const method of ['PUT', 'DELETE']) {
        const late = await world.send(method, `/Users/${id}`, {
          headers,
          ...(method === 'PUT' && { body: newUser('version', { title: 'Two' }) }),
        })
        assert.equal(late.status, 412)
      }
      const current = { 'if-match': put.header('etag') ?? '' }
      assert.equal((await world.send('DELETE', `/Users/${id}`, { headers: current })).status, 204)
    })

    test('are returned with the attributes that were asked for', async () => {
      const { id } = await world.create('asked', { ...FULL, emails: [{ value: 'asked@example.com', type: 'work' }] })
      const only = await world.send(
        'GET',
        `/Users/${id}?attributes=userName,name.givenName,${ENTERPRISE_SCHEMA}:department`,
      )
      const { schemas: _, ...rest } = only.body
      assert.deepEqual(rest, {
        id,
        userName: 'asked',
        name: { givenName: 'Barbara' },
        [ENTERPRISE_SCHEMA]: { department: 'Tours' },
      })
      const without = await world.send('GET', `/Users/${id}?excludedAttributes=emails.type,roles,meta,id`)
      assert.deepEqual(without.body.emails, [{ value: 'asked@example.com', primary: true }])
      assert.equal(without.body.roles, undefined)
      assert.equal(without.body.meta, undefined)
      assert.equal(without.body.id, id)
    })
  })
}
