import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AddHumanUserRequestSchema } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { invalidFields } from '../protocols/errors.ts'
import { failureAsSent, pathAsSent } from './as-sent.ts'

suite('the field of a refusal', () => {
  const path = (json: unknown, field: string) => pathAsSent(AddHumanUserRequestSchema, json, field)

  test('has the name that the caller used', () => {
    assert.equal(path({ profile: { givenName: 'x' } }, 'profile.firstName'), 'profile.givenName')
    assert.equal(path({ profile: { given_name: 'x' } }, 'profile.firstName'), 'profile.given_name')
    assert.equal(path({ profile: { firstName: 'x' } }, 'profile.firstName'), 'profile.firstName')
    assert.equal(path({ organization: { org_id: 'x' } }, 'organisation.orgId'), 'organization.org_id')
    assert.equal(path({ metadata: [{ key: 'a' }, { key: '' }] }, 'metadata[1].key'), 'metadata[1].key')
  })

  test('keeps its own name where the caller sent none, or something else', () => {
    for (const json of [{}, { profile: {} }, { profile: 'x' }, { profile: null }, [], null, 'x']) {
      assert.equal(path(json, 'profile.firstName'), 'profile.firstName')
    }
    assert.equal(path({ metadata: {} }, 'metadata[0].value'), 'metadata[0].value')
    assert.equal(path({ profile: { givenName: 'x' } }, 'noSuchField.x'), 'noSuchField.x')
  })

  test('is renamed in the message too', () => {
    const { failure } = invalidFields([{ field: 'profile.firstName', description: 'must be shorter' }])
    const sent = failureAsSent(failure, AddHumanUserRequestSchema, {
      body: Buffer.from('{"profile":{"given_name":"$&"}}'),
      query: 'profile.givenName=x',
    })
    assert.equal(sent.message, 'The request is invalid: profile.given_name: must be shorter.')
    assert.deepEqual(sent.violations, [{ field: 'profile.given_name', description: 'must be shorter' }])
    for (const body of [undefined, Buffer.from('{broken'), Buffer.from('')]) {
      assert.equal(failureAsSent(failure, AddHumanUserRequestSchema, { body, query: '' }), failure)
    }
  })

  test('has the name of the query where there is no body', () => {
    const { failure } = invalidFields([
      { field: 'profile.firstName', description: 'must be shorter' },
      { field: 'email.email', description: 'is missing' },
    ])
    const fieldsOf = (query: string) =>
      failureAsSent(failure, AddHumanUserRequestSchema, { body: Buffer.from(''), query }).violations?.map(
        ({ field }) => field,
      )
    assert.deepEqual(fieldsOf('profile.given_name=x&email=y'), ['profile.given_name', 'email.email'])
    for (const query of ['__proto__.profile=x', 'profile..=x', '=', 'other=1']) {
      assert.deepEqual(fieldsOf(query), ['profile.firstName', 'email.email'], query)
    }
  })
})
