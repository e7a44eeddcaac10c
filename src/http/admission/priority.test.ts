import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { services as contractServices } from '../../../contract/gen/services.ts'
import { EVENT_SCHEMA_PATH } from '../../features/webhooks/index.ts'
import { probePages } from '../monitoring/probes.ts'
import { METHOD_PRIORITIES, PAGE_PRIORITIES, priorityOfMethod, priorityOfPage } from './priority.ts'

const REFLECTION = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection']
const methods = contractServices.flatMap((service) => service.methods)

suite('priorities', () => {
  test('every name in the table is a method or a service of the contract', () => {
    const names = new Set([
      ...contractServices.map(({ typeName }) => `${typeName}/`),
      ...REFLECTION.map((name) => `${name}/`),
      ...methods.map(({ parent, name }) => `${parent.typeName}/${name}`),
    ])
    assert.deepEqual(
      Object.keys(METHOD_PRIORITIES).filter((name) => !names.has(name)),
      [],
    )
  })

  test('every method that takes a page of results is bulk, unless the table says otherwise', () => {
    const paged = methods.filter(({ input }) =>
      input.fields.some(({ name }) => name === 'query' || name === 'pagination'),
    )
    assert.ok(paged.length > 50)
    const others = paged
      .filter((method) => priorityOfMethod(method) !== 'bulk')
      .map(({ parent, name }) => `${parent.typeName}/${name}`)
      .filter((name) => METHOD_PRIORITIES[name] === undefined)
    assert.deepEqual(others, [])
  })

  test('health checks are monitoring in every protocol', () => {
    const probes = methods.filter(
      ({ name, parent }) => name === 'Healthz' || parent.typeName.startsWith('grpc.health.'),
    )
    assert.ok(probes.length >= 4)
    for (const probe of probes) assert.equal(priorityOfMethod(probe), 'monitoring')
  })

  test('every probe has a line in the table of pages, and every line is a probe or the schema of events', () => {
    const probes = probePages({
      readiness: async () => 'ready',
      metrics: async () => '',
      openApi: async () => '{}',
      openApiServices: async () => '[]',
    })
    assert.deepEqual(Object.keys(PAGE_PRIORITIES).sort(), [...probes.keys(), EVENT_SCHEMA_PATH].sort())
  })

  test('what a user needs to sign in goes before what an administrator does', () => {
    for (const path of ['/login', '/oauth/v2/token', '/oauth/v2/authorize', '/oidc/v1/userinfo', '/passkeys/*'])
      assert.equal(priorityOfPage(path), 'sign_in')
    for (const path of ['/ui/console', '/ui/console/*', '/ui/api']) assert.equal(priorityOfPage(path), 'usual')
    assert.equal(priorityOfPage('/scim/v2/*'), 'bulk')
  })
})
