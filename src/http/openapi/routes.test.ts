import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { DescMethodUnary } from '@bufbuild/protobuf'
import { services } from '../../../contract/gen/services.ts'
import { usesOrganizationOfCall } from '../../access/requirement.ts'
import { routesOf } from '../protocols/rest.ts'
import { serveMethods } from '../protocols/served.ts'
import { openApiDocument } from './document.ts'
import type { Schema } from './schema.ts'

const descriptors = services
  .flatMap((service) => service.methods)
  .filter(({ methodKind }) => methodKind === 'unary') as readonly DescMethodUnary[]
async function handle() {
  return {}
}
const served = serveMethods(descriptors.map((descriptor) => ({ descriptor, handle })))

const document = openApiDocument(services, { externalUrl: 'https://id.example', version: '1.2.3' })
const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Schema>>>>
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]) => ({ verb: verb.toUpperCase(), path, operation })),
)

/** Names of parameters differ between the router and the document, which speaks JSON; the shape is the same. */
function shapeOf(verb: string, path: string) {
  return `${verb} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}
const procedures = served.map(({ name }) => `POST /${name}`)
const routes = served.flatMap(routesOf).map(({ verb, template }) => shapeOf(verb, template))

function find(shape: string): Schema {
  const found = operations.find(({ verb, path }) => shapeOf(verb, path) === shape)
  return found?.operation ?? assert.fail(`${shape} is not described`)
}

/** What an operation says, whatever its path and its id. */
function withoutPlace({ operationId: _, parameters: __, requestBody: ___, ...rest }: Schema) {
  return rest
}

suite('the document and the router', () => {
  test('describe and serve the same paths, none more and none less', () => {
    const described = operations.map(({ verb, path }) => shapeOf(verb, path))
    // The import of people and the events are streams and no methods: they stand beside the router.
    const all = [...procedures, ...routes, 'POST /v2/users/import', 'GET /v2/events/stream']
    assert.deepEqual(described.toSorted(), all.toSorted())
  })

  test('earlier paths of a method are among them', () => {
    const earlier = [
      'PUT /admin/v1/smtp',
      'DELETE /admin/v1/smtp',
      'PUT /admin/v1/smtp/password',
      'PUT /v2/users/{}',
      'POST /v2/users/{}/email/_verify',
      'POST /v2/users/{}/phone/_verify',
      'POST /v2/users/{}/totp/_verify',
      'POST /v2/sessions/_search',
      'POST /management/v1/policies/login/multi_factors/_search',
    ]
    for (const shape of earlier) assert.ok(routes.includes(shape) && find(shape), shape)
  })

  test('every path of a method says the same of who may call it and what it answers', () => {
    let several = 0
    for (const one of served) {
      const [first, ...others] = routesOf(one).map(({ verb, template }) => find(shapeOf(verb, template)))
      for (const other of others) {
        several += 1
        assert.deepEqual(withoutPlace(other), first && withoutPlace(first), one.name)
      }
    }
    assert.ok(several >= 9)
  })

  test('every operation has an id of its own, and the first path of a method the plain one', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(find('POST /v2/sessions/search').operationId, 'session.v2.ListSessions')
    assert.equal(find('POST /v2/sessions/_search').operationId, 'session.v2.ListSessions.2')
  })

  test('the header of the organization is a parameter wherever it decides something, on every path', () => {
    const header = '#/components/parameters/OrganizationHeader'
    const lists = ({ parameters = [] }: Schema) => (parameters as readonly Schema[]).some(({ $ref }) => $ref === header)
    for (const one of served) {
      const { descriptor } = one.method
      const all = [`POST /${one.name}`, ...routesOf(one).map(({ verb, template }) => shapeOf(verb, template))]
      for (const shape of all) assert.equal(lists(find(shape)), usesOrganizationOfCall(descriptor), shape)
    }
    // Not only where the permission is looked for there: a person is added there unless the request names another.
    const add = find('POST /v2/users/human')
    assert.ok(lists(add))
    assert.match(String(add.description), /the organization of the call unless/)
    assert.ok(lists(find('GET /v2/settings/login')))
    assert.ok(lists(find('POST /v2/idp_intents')))
    assert.ok(!lists(find('GET /v2/users/{}')))
  })

  test('a body under an earlier path has the limits of the same fields', () => {
    const bodyOf = (shape: string) => find(shape).requestBody
    assert.deepEqual(bodyOf('PUT /v2/users/{}'), bodyOf('PUT /v2/users/human/{}'))
    assert.deepEqual(bodyOf('POST /v2/users/{}/totp/_verify'), bodyOf('POST /v2/users/{}/totp/verify'))
  })
})
