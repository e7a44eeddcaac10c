/** SCIM with requests that mean harm, and several of them at once. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { bothEngines } from '../support/engines.ts'
import { type Body, newUser, openScimWorld, PATCH_SCHEMA, type ScimWorld } from '../support/scim.ts'

const BULK_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

for (const engine of bothEngines) {
  suite(`hostile requests by SCIM on ${engine.name}`, () => {
    let world: ScimWorld

    before(async () => {
      world = await openScimWorld(engine)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    test('are refused over HTTP/1.1 and HTTP/2', async () => {
      const { id } = await world.create('victim')
      const text = JSON.stringify(newUser('hostile'))
      const deep = `${text.slice(0, -1)},"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
      const cases: [string, string, string, number][] = [
        ['POST', '/Users', `${text.slice(0, -1)},"x":"${'a'.repeat(1_000_001)}"}`, 413],
        ['POST', '/Users', deep, 400],
        ['POST', '/Users', `${text.slice(0, -1)},"__proto__":{"admin":true}}`, 400],
        ['POST', '/Users', `${text.slice(0, -1)},"name":{"__proto__":{"givenName":"x"}}}`, 400],
        ['POST', '/Users', text.replace('hostile', 'ho\\u0000stile'), 400],
        ['POST', '/Users', text.replace('hostile', 'ho\\ud800stile'), 400],
        ['POST', '/Users', '[]', 400],
        ['POST', '/Users', '', 400],
        [
          'PATCH',
          `/Users/${id}`,
          `{"schemas":["${PATCH_SCHEMA}"],"Operations":[{"op":"add","value":{"__proto__":1}}]}`,
          400,
        ],
        [
          'PATCH',
          `/Users/${id}`,
          `{"schemas":["${PATCH_SCHEMA}"],"Operations":[{"op":"add","path":"__proto__.x","value":1}]}`,
          400,
        ],
        ['PATCH', `/Users/${id}`, `{"schemas":["${PATCH_SCHEMA}"],"Operations":{"op":"add"}}`, 400],
        ['PUT', '/Users/%00', text, 404],
        ['GET', '/Users/%E0%A4%A', '', 404],
        ['GET', `/Users/${'9'.repeat(500)}`, '', 404],
        ['GET', '/Users/a/b', '', 404],
        ['GET', '/Nothing', '', 404],
        ['POST', `/Users/${id}`, text, 405],
      ]
      for (const [method, path, body, status] of cases) {
        for (const send of [world.send, world.sendHttp2]) {
          const isEmpty = body === '' && method !== 'POST'
          const reply = await send(method, path, isEmpty ? {} : { body: body as unknown })
          assert.equal(reply.status, status, `${method} ${path} ${body.slice(0, 100)} ${JSON.stringify(reply.body)}`)
          assert.equal(reply.body.status, `${status}`)
        }
      }
      assert.equal(({} as Body).admin, undefined)
    })

    test('keep names of prototypes as names only', async () => {
      const more = { constructor: 'x', toString: { valueOf: 'y' }, hasOwnProperty: 1 }
      const created = await world.create('prototypes', more)
      assert.deepEqual([created.constructor, created.hasOwnProperty], ['x', 1])
      const { body } = await world.patch(created.id, { op: 'add', value: { valueOf: 'z' } })
      assert.deepEqual([body.valueOf, body.toString], ['z', { valueOf: 'y' }])
    })

    test('cannot let a list grow, nor compare forever, nor send thousands of names', async () => {
      const { id } = await world.create('grower')
      const adding = (from: number) => ({
        op: 'add',
        path: 'roles',
        value: Array.from({ length: 60 }, (_, index) => ({ value: `${from + index}` })),
      })
      const grown = await world.patch(id, adding(0), adding(60))
      assert.deepEqual([grown.status, grown.body.scimType], [400, 'invalidValue'])
      assert.match(grown.body.detail, /roles: must not have more than 100 values/)
      assert.equal((await world.patch(id, adding(0), adding(30))).body.roles.length, 90)
      const path = `roles[${Array.from({ length: 40 }, (_, index) => `value eq "x${index}"`).join(' or ')}]`
      const comparing = Array.from({ length: 100 }, () => ({ op: 'remove', path }))
      const compared = await world.patch(id, ...comparing)
      assert.deepEqual([compared.status, compared.body.scimType], [413, 'tooMany'])
      const few = await world.patch(id, ...comparing.slice(0, 20))
      assert.deepEqual([few.status, few.body.roles.length], [200, 90])
      const names = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`name${index}`, 1]))
      for (const value of [names, { 'urn:example:many': names }]) {
        const many = await world.patch(id, { op: 'add', value })
        assert.deepEqual([many.status, many.body.scimType], [400, 'invalidSyntax'])
      }
    })

    test('cannot fill the memory with lists of large users', async () => {
      const organizationId = await world.addOrganization('Large')
      const machine = await world.addMachine({ organizationId, organizationRoles: ['ORG_DIRECTORY_SYNC'] })
      const question = { organizationId, token: world.tokenOf(machine) }
      const display = 'x'.repeat(7_900)
      const long = Array.from({ length: 8 }, (_, index) => ({ value: `${index}`, display }))
      const street = Array.from({ length: 8 }, () => ({ streetAddress: display }))
      const large = { roles: long, entitlements: long, ims: long, x509Certificates: long, addresses: street }
      for (let number = 0; number < 26; number++) {
        const { status } = await world.send('POST', '/Users', { ...question, body: newUser(`large-${number}`, large) })
        assert.equal(status, 201)
      }
      for (const query of ['count=100', 'cursor=', `filter=${encodeURIComponent('title eq "x"')}`]) {
        const { status, body } = await world.send('GET', `/Users?${query}`, question)
        assert.deepEqual([status, body.scimType], [400, 'tooMany'], query)
        assert.match(body.detail, /Ask for fewer users/)
      }
      const few = await world.send('GET', '/Users?count=10', question)
      assert.deepEqual([few.body.Resources.length, few.body.totalResults], [10, 26])
    })

    test('of one version succeed once', async () => {
      const { id, meta } = await world.create('race')
      const headers = { 'if-match': meta.version }
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          world.send('PATCH', `/Users/${id}`, {
            headers,
            body: {
              schemas: [PATCH_SCHEMA],
              Operations: [{ op: 'add', path: index % 2 === 0 ? 'title' : 'userType', value: `v${index}` }],
            },
          }),
        ),
      )
      const statuses = replies.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [200, 412, 412, 412, 412, 412, 412, 412])
    })

    test('without a version are applied one after the other', async () => {
      const { id } = await world.create('adders')
      const values = Array.from({ length: 8 }, (_, index) => `role-${index}`)
      const replies = await Promise.all(
        values.map((value) => world.patch(id, { op: 'add', path: 'roles', value: [{ value }] })),
      )
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
      const { body } = await world.send('GET', `/Users/${id}`)
      assert.deepEqual(body.roles.map(({ value }: Body) => value).sort(), values)
    })

    test('for the same new user, ten at once as a directory sends that was not answered in time, create one', async () => {
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, index) => {
          const send = index % 2 === 0 ? world.send : world.sendHttp2
          return send('POST', '/Users', { body: newUser('once', { externalId: 'once', title: `${index}` }) })
        }),
      )
      const statuses = replies.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [201, ...Array(9).fill(409)])
      const made = replies.find(({ status }) => status === 201)?.body
      const found = await world.send('GET', `/Users?filter=${encodeURIComponent('externalId eq "once"')}`)
      assert.deepEqual(found.body.Resources, [made])
      const removals = await Promise.all(Array.from({ length: 10 }, () => world.send('DELETE', `/Users/${made.id}`)))
      assert.deepEqual(removals.map(({ status }) => status).sort(), [204, ...Array(9).fill(404)])
    })

    test('are told that their list of operations is missing', async () => {
      const { id } = await world.create('nothing-done')
      const cases: [string, string, object][] = [
        ['POST', '/Bulk', { schemas: [BULK_SCHEMA] }],
        ['POST', '/Bulk', { schemas: [BULK_SCHEMA], Operations: null }],
        ['POST', '/Bulk', { schemas: [BULK_SCHEMA], Operation: [] }],
        ['PATCH', `/Users/${id}`, { schemas: [PATCH_SCHEMA] }],
        ['PATCH', `/Users/${id}`, { schemas: [PATCH_SCHEMA], Operations: null }],
      ]
      for (const [method, path, body] of cases) {
        const reply = await world.send(method, path, { body })
        assert.deepEqual([reply.status, reply.body?.scimType], [400, 'invalidSyntax'], JSON.stringify(body))
        assert.match(reply.body.detail, /Operations/)
      }
    })

    test('in bulk are done in order, each for itself', async () => {
      const operations = [
        { method: 'POST', path: '/Users', bulkId: 'One', data: newUser('bulk-1') },
        { method: 'PATCH', path: '/Users/bulkId:one', data: patchOf('title', 'Chief') },
        { method: 'POST', path: '/Users', bulkId: 'two', data: newUser('bulk-1') },
        { method: 'PUT', path: '/Users/bulkId:two', data: newUser('bulk-2') },
        { method: 'DELETE', path: '/Users/nobody' },
        { method: 'GET', path: '/Users/bulkId:one' },
        { method: 'POST', path: '/Nothing', data: {} },
        { method: 'DELETE', path: '/Users/%E0%A4%A' },
        { method: 'PUT', path: '/Users/bulkId:one', data: newUser('bulk-3') },
        'nonsense',
      ]
      const { status, body } = await world.send('POST', '/Bulk', { body: bulk(operations) })
      assert.equal(status, 200)
      const statuses = body.Operations.map((one: Body) => one.status)
      assert.deepEqual(statuses, ['201', '204', '409', '400', '404', '400', '400', '400', '200', '400'])
      const [made, , taken, unresolved] = body.Operations
      assert.equal(made.bulkId, 'One')
      assert.equal(taken.response.scimType, 'uniqueness')
      assert.equal(taken.location, undefined)
      assert.match(unresolved.response.detail, /bulkId two/)
      assert.equal((await world.send('GET', `/Users/${made.location.split('/').at(-1)}`)).body.userName, 'bulk-3')
      const stopped = await world.send('POST', '/Bulk', { body: { ...bulk(operations.slice(2)), failOnErrors: 2 } })
      assert.deepEqual(
        stopped.body.Operations.map((one: Body) => one.status),
        ['201', '200', '404', '400'],
      )
      // RFC 7644 §3.7: "bulkId REQUIRED when method is POST".
      const unnamed = { method: 'POST', path: '/Users', data: newUser('bulk-4') }
      const [refused] = (await world.send('POST', '/Bulk', { body: bulk([unnamed]) })).body.Operations
      assert.deepEqual([refused.status, refused.response.scimType], ['400', 'invalidValue'])
      assert.match(refused.response.detail, /bulkId/)
      const many = Array.from({ length: 1001 }, () => ({ method: 'DELETE', path: '/Users/x' }))
      assert.equal((await world.send('POST', '/Bulk', { body: bulk(many) })).status, 413)
      const denied = await world.send('POST', '/Bulk', { body: bulk([]), token: '' })
      assert.equal(denied.status, 401)
    })
  })
}

function bulk(Operations: readonly unknown[]): object {
  return { schemas: [BULK_SCHEMA], Operations }
}

function patchOf(path: string, value: string): object {
  return { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path, value }] }
}
