import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { connectErrorBody, grpcStatusFields, restErrorBody } from './error-details.ts'
import { type Failure, invalidFields } from './errors.ts'
import { STATUS } from './status.ts'

const many = invalidFields(
  Array.from({ length: 500 }, (_, index) => ({ field: `items[${index}].name`, description: 'value is required' })),
).failure

suite('error details', () => {
  test('a list of violations is cut where trailers would grow beyond what clients take, alike in all protocols', () => {
    const fields = grpcStatusFields(many, 'signet')
    assert.ok(fields.join('').length < 8192, `${fields.join('').length} characters`)
    const rest = JSON.parse(restErrorBody(many, 'signet')).details[1].fieldViolations
    const connect = JSON.parse(connectErrorBody(many, 'signet')).details[1].debug.fieldViolations
    assert.deepEqual(rest, connect)
    assert.ok(rest.length >= 50 && rest.length < 500)
    assert.match(many.message, /and 499 more/)
  })

  test('a path of hostile length does not make the answer long', () => {
    const { failure } = invalidFields([{ field: `labels.${'𝒳'.repeat(100_000)}`, description: 'must not be null' }])
    assert.ok(grpcStatusFields(failure, 'signet').join('').length < 8192)
    assert.ok(restErrorBody(failure, 'signet').length < 8192)
  })

  test('a message with any text becomes a valid header', () => {
    const failure: Failure = { status: STATUS.invalid, id: 'x.y', message: 'tab\t 100% “Zoë” \ud800\r\ninjected: yes' }
    const [, , , message = ''] = grpcStatusFields(failure, 'signet')
    assert.match(message, /^[\x20-\x7e]*$/)
    assert.equal(decodeURIComponent(message), failure.message.toWellFormed())
  })
})
