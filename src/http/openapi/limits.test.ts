import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { reflect } from '@bufbuild/protobuf/reflect'
import { createValidator } from '@bufbuild/protovalidate'
import { services } from '../../../contract/gen/services.ts'
import { AddMachineUserRequestSchema } from '../../../contract/gen/signet/management/v1/machine_pb.ts'
import { newSchemaBook, schemaOfField, schemaOfMembers } from './schema.ts'

const validator = createValidator()
const inputs = services.flatMap((service) => service.methods.map((method) => method.input))

/** The rules that `field` breaks when it holds `value` and all else is empty. */
function broken(message: DescMessage, field: DescField, value: string): readonly string[] {
  const draft = reflect(message, create(message))
  draft.set(field, value)
  const { violations = [] } = validator.validate(message, draft.message)
  return violations.filter((one) => one.field[0] === field).map((one) => one.ruleId)
}

test('what the document says of lengths is what is enforced, in code points', () => {
  let checked = 0
  for (const message of inputs) {
    for (const field of message.fields) {
      if (field.fieldKind !== 'scalar' || field.scalar !== ScalarType.STRING) continue
      const schema = schemaOfField(newSchemaBook(), field)
      const { minLength = 0, maxLength } = schema as Record<string, number | undefined>
      if (maxLength === undefined) continue
      checked += 1
      const name = `${message.typeName}.${field.name}`
      if (schema.pattern !== undefined || schema.format === 'email') {
        // A text of a given form cannot be made of any character, but too long is too long whatever its form.
        assert.ok(broken(message, field, '😀'.repeat(maxLength + 1)).includes('string.max_len'), name)
        assert.ok(!broken(message, field, '😀'.repeat(maxLength)).includes('string.max_len'), name)
        continue
      }
      assert.deepEqual(broken(message, field, '😀'.repeat(maxLength)), [], name)
      assert.deepEqual(broken(message, field, '😀'.repeat(maxLength + 1)), ['string.max_len'], name)
      assert.equal(broken(message, field, '').length > 0, minLength > 0, name)
    }
  }
  assert.ok(checked > 60)
})

test('what the document requires is what is missed in an empty request', () => {
  for (const message of inputs) {
    const { required = [] } = schemaOfMembers(newSchemaBook(), message) as { required?: readonly string[] }
    const { violations = [] } = validator.validate(message, create(message))
    const missed = violations.flatMap(({ field: [first] }) => (first?.kind === 'field' ? [first.jsonName] : []))
    assert.deepEqual(missed, required, message.typeName)
  }
})

test('a machine user needs a user name and a name', () => {
  const { violations = [] } = validator.validate(AddMachineUserRequestSchema, create(AddMachineUserRequestSchema))
  assert.deepEqual(
    violations.map((one) => one.ruleId),
    ['required', 'required'],
  )
})
