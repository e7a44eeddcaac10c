import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  create,
  createFileRegistry,
  type DescService,
  getOption,
  type Message,
  type Registry,
  setExtension,
} from '@bufbuild/protobuf'
import {
  DescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  MethodOptionsSchema,
} from '@bufbuild/protobuf/wkt'
import { FieldRulesSchema, field as rules } from '../../../contract/gen/buf/validate/validate_pb.ts'
import { http } from '../../../contract/gen/google/api/annotations_pb.ts'
import { HttpRuleSchema } from '../../../contract/gen/google/api/http_pb.ts'
import { Health } from '../../../contract/gen/grpc/health/v1/health_pb.ts'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { AccessSchema, access, replaced_by } from '../../../contract/gen/signet/v1/options_pb.ts'
import { openApiDocument } from './document.ts'

const services: readonly DescService[] = [
  AdminService,
  AuthService,
  Health,
  InternalPermissionService,
  ManagementService,
  OrganizationService,
  UserService,
]
type Node = Readonly<Record<string, unknown>>

function describe(which: readonly DescService[] = services): Node {
  return openApiDocument(which, { externalUrl: 'https://id.example', version: '1.2.3' })
}
const document = describe()

/** What lies at the end of `keys`, or undefined. */
function at(node: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce((inner, key) => (inner as Node | undefined)?.[key], node)
}
function list(node: unknown): readonly Node[] {
  return (node ?? []) as readonly Node[]
}
function entries(node: unknown): readonly (readonly [string, Node])[] {
  return Object.entries((node ?? {}) as Node) as [string, Node][]
}
function operation(verb: string, path: string): unknown {
  return at(document, 'paths', path, verb)
}
function schema(name: string, ...keys: readonly string[]): unknown {
  return at(document, 'components', 'schemas', name, ...keys)
}

const operations = entries(document.paths).flatMap(([path, item]) =>
  entries(item).map(([verb, one]) => ({ path, verb, one })),
)

function visit(node: unknown, see: (object: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) see(node as Node)
  for (const child of Object.values(node)) visit(child, see)
}

test('the document is plain JSON and names the server', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
  assert.equal(document.openapi, '3.1.1')
  assert.equal(at(document, 'info', 'version'), '1.2.3')
  assert.deepEqual(document.servers, [{ url: 'https://id.example' }])
})

test('every reference leads somewhere', () => {
  const references: string[] = []
  visit(document, ({ $ref }) => {
    if (typeof $ref === 'string') references.push($ref)
  })
  assert.ok(references.length > 100)
  for (const reference of references) assert.ok(at(document, ...reference.slice(2).split('/')), reference)
})

test('every operation has its own id, and every part of a path its parameter', () => {
  const ids = operations.map(({ one }) => one.operationId)
  assert.equal(new Set(ids).size, ids.length)
  for (const { path, one } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const inPath = list(one.parameters).filter((parameter) => parameter.in === 'path')
    const names = inPath.map(({ name }) => name)
    assert.deepEqual(names, named, path)
  }
})

test('no two paths differ only in the names of their parameters', () => {
  const shapes = Object.keys(document.paths as Node).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
  assert.equal(new Set(shapes).size, shapes.length)
})

test('every method is there on its own path, in every content type', () => {
  for (const method of services.flatMap((service) => service.methods)) {
    if (method.methodKind !== 'unary') continue
    const own = operation('post', `/${method.parent.typeName}/${method.name}`)
    for (const type of ['application/json', 'application/grpc', 'application/grpc-web+proto']) {
      assert.ok(at(own, 'requestBody', 'content', type), `request of ${method.name} in ${type}`)
      assert.ok(at(own, 'responses', 200, 'content', type), `reply of ${method.name} in ${type}`)
    }
  }
})

test('every method that has a REST path is there on it', () => {
  const camel = (text: string) => text.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  for (const method of services.flatMap((service) => service.methods)) {
    const { pattern } = getOption(method, http)
    if (pattern.case === undefined) continue
    const path = pattern.value.replaceAll(/\{\w+\}/g, camel)
    const area = method.parent.file.proto.package.replace('signet.', '')
    assert.equal(at(operation(pattern.case, path), 'operationId'), `${area}.${method.name}`)
  }
})

test('the machine user of operation 6 has its limits, its permission and its header', () => {
  const add = operation('post', '/management/v1/users/machine')
  const name = 'signet.management.v1.AddMachineUserRequest'
  assert.deepEqual(at(add, 'requestBody'), {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${name}` },
        example: { name: 'A new name', userName: 'ada' },
      },
    },
  })
  assert.deepEqual(schema(name, 'required'), ['userName', 'name'])
  assert.equal(schema(name, 'properties', 'userName', 'minLength'), 1)
  assert.equal(schema(name, 'properties', 'userName', 'maxLength'), 200)
  assert.deepEqual(schema(name, 'properties', 'description'), { type: 'string', maxLength: 500 })
  const tokenType = 'signet.user.v1.AccessTokenType'
  assert.equal(schema(name, 'properties', 'accessTokenType', '$ref'), `#/components/schemas/${tokenType}`)
  assert.deepEqual(schema(tokenType, 'enum'), ['ACCESS_TOKEN_TYPE_BEARER', 'ACCESS_TOKEN_TYPE_JWT'])
  assert.equal(at(add, 'x-permission'), 'user.write')
  assert.deepEqual(at(add, 'security'), [{ bearer: [] }])
  assert.deepEqual(at(add, 'parameters'), [{ $ref: '#/components/parameters/OrganizationHeader' }])
  assert.equal(at(document, 'components', 'parameters', 'OrganizationHeader', 'name'), 'x-service-orgid')
  const answers = entries(at(add, 'responses')).map(([status]) => status)
  assert.deepEqual(answers, ['200', '400', '401', '403', '404', '409', '429', 'default'])
})

test('details are described as they look in JSON', () => {
  const name = 'signet.v1.ObjectDetails'
  assert.equal(schema(name, 'properties', 'sequence', 'type'), 'string')
  assert.equal(schema(name, 'properties', 'sequence', 'format'), 'uint64')
  assert.deepEqual(schema(name, 'properties', 'creationDate'), { type: 'string', format: 'date-time' })
})

test('a public method asks for no token and none of its errors speaks of one', () => {
  const healthz = operation('get', '/management/v1/healthz')
  assert.deepEqual(at(healthz, 'security'), [])
  const answers = entries(at(healthz, 'responses')).map(([status]) => status)
  assert.deepEqual(answers, ['200', '400', '404', '409', '429', 'default'])
})

test('what stands in the path is not asked for in the body', () => {
  const update = operation('put', '/management/v1/users/{userId}/machine')
  const body = at(update, 'requestBody', 'content', 'application/json', 'schema')
  assert.deepEqual(Object.keys(at(body, 'properties') as Node), ['description', 'name', 'accessTokenType'])
  assert.deepEqual(at(body, 'required'), ['name'])
})

test('without a body the other fields are query parameters', () => {
  const remove = operation('delete', '/v2/organizations/{organizationId}/domains')
  assert.equal(at(remove, 'requestBody'), undefined)
  assert.deepEqual(
    list(at(remove, 'parameters')).map((one) => [one.name, one.in, one.required]),
    [
      ['organizationId', 'path', true],
      ['domain', 'query', true],
    ],
  )
})

test('adding an organization answers 201 and accepts the older name of a field', () => {
  assert.ok(at(operation('post', '/v2/organizations'), 'responses', 201))
  const id = schema('signet.org.v2.AddOrganizationRequest', 'properties', 'organizationId')
  assert.match(String(at(id, 'description')), /`org_id`/)
})

test('a required oneof takes exactly one member, another at most one', () => {
  const exactlyOne = [{ oneOf: [{ required: ['human'] }, { required: ['machine'] }] }]
  assert.deepEqual(schema('signet.user.v2.CreateUserRequest', 'allOf'), exactlyOne)
  const members = [{ required: ['range'] }, { required: ['from'] }]
  const atMostOne = [{ oneOf: [...members, { not: { anyOf: members } }] }]
  assert.deepEqual(schema('signet.admin.v1.ListEventsRequest', 'allOf'), atMostOne)
})

test('a message in the query string is given field by field', () => {
  const parameters = list(at(operation('get', '/v2/users/{userId}/authentication_methods'), 'parameters'))
  const names = ['userId', 'domainQuery.includeWithoutDomain', 'domainQuery.domain']
  assert.deepEqual(
    parameters.map(({ name }) => name),
    names,
  )
})

test('a value that the contract forbids is not offered', () => {
  assert.deepEqual(schema('signet.management.v1.AddMachineKeyRequest', 'properties', 'type', 'enum'), ['KEY_TYPE_JSON'])
})

function addExtension<Options extends Message>(options: Options, write: (options: Options) => void): Options {
  write(options)
  return options
}

function madeUpService(): DescService {
  const options = addExtension(create(MethodOptionsSchema, { deprecated: true }), (one) => {
    setExtension(one, access, create(AccessSchema, { permission: 'user.write' }))
    setExtension(one, replaced_by, 'made.up.Other/Add')
    setExtension(one, http, create(HttpRuleSchema, { pattern: { case: 'post', value: '/made/up' }, body: '*' }))
  })
  const limits = addExtension(create(FieldOptionsSchema), (one) => {
    setExtension(one, rules, create(FieldRulesSchema, { type: { case: 'bytes', value: { minLen: 1n, maxLen: 10n } } }))
  })
  const file = create(FileDescriptorProtoSchema, {
    name: 'made/up.proto',
    package: 'made.up',
    syntax: 'proto3',
    messageType: [
      create(DescriptorProtoSchema, {
        name: 'Thing',
        field: [
          {
            name: 'raw_value',
            number: 1,
            jsonName: 'rawValue',
            label: FieldDescriptorProto_Label.OPTIONAL,
            type: FieldDescriptorProto_Type.BYTES,
            options: limits,
          },
        ],
      }),
    ],
    service: [
      { name: 'Things', method: [{ name: 'Add', inputType: '.made.up.Thing', outputType: '.made.up.Thing', options }] },
    ],
  })
  const registry: Registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }))
  return registry.getService('made.up.Things') as DescService
}

test('a deprecated method says so, in its headers too, and names what replaces it', () => {
  const add = at(describe([madeUpService()]), 'paths', '/made/up', 'post')
  assert.equal(at(add, 'deprecated'), true)
  assert.match(String(at(add, 'description')), /Use `made\.up\.Other\/Add` instead\./)
  assert.deepEqual(Object.keys(at(add, 'responses', 200, 'headers') as Node), ['Deprecation', 'Link'])
})

test('limits of bytes count their base64 text', () => {
  const thing = at(describe([madeUpService()]), 'components', 'schemas', 'made.up.Thing', 'properties', 'rawValue')
  assert.deepEqual(thing, { type: 'string', format: 'byte', contentEncoding: 'base64', minLength: 2, maxLength: 16 })
})

test('two methods on one path are a mistake of the contract', () => {
  assert.throws(() => describe([madeUpService(), madeUpService()]), /Two methods are bound to POST \/made\/up/)
})
