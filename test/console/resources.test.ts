/** The resources of a project in the console: the values of the form, and the request that they make. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { approvable } from '../../console/src/pages/agents/scopes.ts'
import {
  fieldsByPath,
  isTaken,
  NO_SCOPE,
  resourcesWith,
  resourcesWithout,
  scopeProblems,
  valuesOf,
} from '../../console/src/pages/projects/api/resource-values.ts'
import { ProjectResourceSchema } from '../../contract/gen/signet/project/v2/project_pb.ts'

const READ = { key: 'read', description: 'Read it' }
const FIRST = create(ProjectResourceSchema, { uri: 'https://one.example/', scopes: [READ], isDefault: true })
const SECOND = create(ProjectResourceSchema, { uri: 'https://two.example/api' })
const TEXTS = { required: 'required', taken: 'taken' }

suite('the resources of a project', () => {
  test('are sent as a whole, with the changed one in its place', () => {
    const values = { uri: ' https://three.example/ ', isDefault: false, scopes: [READ, NO_SCOPE] }
    const plain = { uri: FIRST.uri, isDefault: true, scopes: [READ], authorizationDetailsTypes: [] }
    const fresh = { uri: 'https://three.example/', isDefault: false, scopes: [READ] }
    const changed = { ...fresh, authorizationDetailsTypes: [] }
    assert.deepEqual(resourcesWith([FIRST, SECOND], SECOND, values), [plain, changed])
    assert.deepEqual(resourcesWith([FIRST], undefined, values), [plain, fresh])
    assert.deepEqual(resourcesWithout([FIRST, SECOND], SECOND), [plain])
  })

  test('keep what the form does not know', () => {
    const types = [{ type: 'payment', description: 'Pay' }]
    const typed = create(ProjectResourceSchema, { uri: 'https://pay.example/', authorizationDetailsTypes: types })
    const typesOf = (sent: readonly { readonly uri: string; readonly authorizationDetailsTypes?: unknown }[]) =>
      sent.map(({ authorizationDetailsTypes }) => authorizationDetailsTypes)
    assert.deepEqual(typesOf(resourcesWith([typed], typed, valuesOf(typed))), [typed.authorizationDetailsTypes])
    assert.deepEqual(typesOf(resourcesWithout([typed, SECOND], SECOND)), [typed.authorizationDetailsTypes])
  })

  test('have one default, which is the one that was chosen last', () => {
    const values = { ...valuesOf(SECOND), isDefault: true }
    const isDefault = resourcesWith([FIRST, SECOND], SECOND, values).map((one) => one.isDefault)
    assert.deepEqual(isDefault, [false, true])
  })

  test('have different URIs, however these are written', () => {
    assert.ok(isTaken('https://one.example', [FIRST, SECOND], undefined))
    assert.ok(!isTaken('https://one.example', [FIRST, SECOND], FIRST))
    assert.ok(isTaken(FIRST.uri, [FIRST, SECOND], SECOND))
  })

  test('have scopes with a name and a sentence each, no name twice, and rows that nobody filled in', () => {
    const scopes = [READ, NO_SCOPE, { key: 'read', description: '' }, { key: '', description: 'Write it' }]
    assert.deepEqual(scopeProblems({ uri: '', isDefault: false, scopes }, TEXTS), {
      'scopes.2.key': 'taken',
      'scopes.2.description': 'required',
      'scopes.3.key': 'required',
    })
  })

  test('show what the server says about them in the row that was typed', () => {
    const fields = fieldsByPath({ uri: '', isDefault: false, scopes: [NO_SCOPE, READ] }, 2)
    assert.equal(fields.get('resources[2].uri'), 'uri')
    assert.equal(fields.get('resources[2].scopes[0].key'), 'scopes.1.key')
  })
})

test('scopes about the user cannot be approved for everyone', () => {
  const scopes = ['openid', 'profile', 'email', 'offline_access', 'tools:read', 'urn:zitadel:iam:org:project:id:x:aud']
  assert.deepEqual(approvable(scopes), ['openid', 'offline_access', 'tools:read'])
})
