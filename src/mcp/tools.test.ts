import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { DescMessage, DescMethodUnary } from '@bufbuild/protobuf'
import { services } from '../../contract/gen/services.ts'
import { requirementOf } from '../access/requirement.ts'
import { toolsOf } from './tools.ts'

const methods = services
  .flatMap(({ methods }) => methods)
  .filter(({ methodKind }) => methodKind === 'unary')
  .map((descriptor) => ({ descriptor: descriptor as DescMethodUnary, handle: () => assert.fail('nothing is called') }))
const tools = toolsOf(methods)

/** The paths of all secrets in a message. */
function secretsIn(message: DescMessage, outer: readonly DescMessage[] = []): readonly string[] {
  if (outer.includes(message)) return []
  return message.fields.flatMap((field) => {
    if (field.proto.options?.debugRedact === true) return [field.jsonName]
    return field.message === undefined ? [] : secretsIn(field.message, [...outer, message])
  })
}

suite('the tools for agents', () => {
  test('find and explain users, sessions, sign-ins, events and settings', () => {
    const reading = [...tools.values()].filter(({ isReading }) => isReading).map(({ name }) => name)
    const expected = [
      'list_users',
      'list_sessions',
      'list_sign_ins',
      'explain_sign_in',
      'list_events',
      'get_login_settings',
    ]
    for (const name of expected) assert.ok(reading.includes(name), name)
    for (const name of ['lock_user', 'delete_session', 'update_project', 'set_security_settings']) {
      assert.equal(tools.get(name)?.isReading, false, name)
    }
  })

  test('have names and descriptions that clients accept', () => {
    for (const tool of tools.values()) {
      const { name, description } = tool.describe()
      assert.match(name, /^[a-z][a-z\d_]{2,63}$/)
      assert.ok(description.length > 20, name)
    }
  })

  test('read only with a permission to read, or what concerns the caller', () => {
    for (const { name, isReading, served } of tools.values()) {
      if (!isReading) continue
      const requirement = requirementOf(served.method.descriptor)
      assert.ok(!('permission' in requirement) || requirement.permission.endsWith('.read'), name)
      assert.match(name, /^(get|list|search|count|explain)_/)
    }
  })

  test('are none that are there to give or take a secret, and describe no field that holds one', () => {
    const left = [
      'AddPersonalAccessToken',
      'AddKey',
      'AddSecret',
      'GenerateRecoveryCodes',
      'RegisterTOTP',
      'SetPassword',
    ]
    const offered = new Set([...tools.values()].map(({ served }) => served.method.descriptor.name))
    for (const name of [
      ...left,
      'CreateSession',
      'SetSession',
      'GenerateClientSecret',
      'CreateRegistrationToken',
      'VerifyEmail',
      'ListInboxMails',
    ]) {
      assert.equal(offered.has(name), false, name)
    }
    for (const tool of tools.values()) {
      const { inputSchema } = tool.describe()
      const text = JSON.stringify(inputSchema)
      assert.doesNotMatch(text, /"format":"password"/, tool.name)
      for (const field of secretsIn(tool.served.method.descriptor.input)) {
        // Which is the name of a message as well, and that has another field of this name.
        if (field !== 'password') assert.doesNotMatch(text, new RegExp(`"${field}":`), `${tool.name} ${field}`)
      }
    }
  })

  test('refer to nothing outside of their schemas', () => {
    for (const tool of tools.values()) {
      const { inputSchema } = tool.describe()
      const defined = new Set(Object.keys((inputSchema.$defs as object | undefined) ?? {}))
      for (const [, name = ''] of JSON.stringify(inputSchema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
        assert.ok(defined.has(name), `${tool.name} ${name}`)
      }
      assert.doesNotMatch(JSON.stringify(inputSchema), /#\/components/)
    }
  })
})
