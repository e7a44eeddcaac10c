import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addressDomain, type ChosenKind, idProblem } from './chosen-id.ts'

const KINDS: readonly ChosenKind[] = ['user', 'organization', 'project', 'application', 'group']

const ALLOWED = [
  '1',
  'jane.doe',
  '...',
  '.hidden',
  'agent-007',
  'dcr-1',
  'machine-1',
  'systems',
  'a:b',
  '265601430925508611',
  '2c9180838b2f1a7a018b2f1a7a000001',
  '019a7c5e-3f6b-7c1e-9d3a-5b1c2d3e4f50',
  'auth0|5f7c8ec7c33c6c004bbafe82',
  'google-oauth2|103547991597142817347',
  'f:550e8400-e29b-41d4-a716-446655440000:jane',
  'f:550e8400-e29b-41d4-a716-446655440000:jane@corp.example',
  'client@clients',
  'x'.repeat(200),
]

const REFUSED = [
  '',
  'x'.repeat(201),
  '../organizations/1',
  '..\\organizations',
  'a/b',
  'a\\b',
  'a?b',
  'a#b',
  '.%2e',
  '%2e%2e',
  '.',
  '..',
  '\uff0e\uff0e',
  '\u2025',
  '\uff0fa',
  'a\uff1fb',
  'a\uff03b',
  'a b',
  'a\u00a0b',
  'a\tb',
  'a\nb',
  'a\u0000b',
  'a\u0085b',
  'a\u200bb',
  'a\u202eb',
  'a\ufeffb',
  'a\u3164b',
  '\ud800',
  'system',
  'System',
  'VISITOR',
  'server',
  'anonymous',
  '\uff53ystem',
  'agent:x',
  'AGENT:x',
  `agent-${'aB_-'.repeat(10)}abc`,
  'dcr-132774400000007000',
  'machine:132774400000007000',
]

suite('a chosen ID', () => {
  for (const id of ALLOWED) {
    test(`may be ${id.slice(0, 60)}`, () => {
      for (const kind of KINDS) assert.equal(idProblem(kind, id), undefined, kind)
      assert.equal(addressDomain(id), undefined)
    })
  }

  for (const id of REFUSED) {
    test(`cannot be ${JSON.stringify(id.slice(0, 60))}`, () => {
      for (const kind of KINDS) assert.notEqual(idProblem(kind, id), undefined, kind)
    })
  }

  test('has letters of any script only for a user, whose ID is in no header', () => {
    assert.equal(idProblem('user', '用户'), undefined)
    for (const kind of KINDS.slice(1)) assert.notEqual(idProblem(kind, '用户'), undefined)
    assert.equal(idProblem('user', '\u{10400}'.repeat(200)), undefined)
    assert.notEqual(idProblem('user', '\u{10400}'.repeat(201)), undefined)
  })
})

suite('an ID that reads as an email address', () => {
  const addresses: Readonly<Record<string, string>> = {
    'chief@corp.example': 'corp.example',
    'Chief@CORP.Example': 'corp.example',
    'chief@corp.example.': 'corp.example',
    'chief\uff20corp.example': 'corp.example',
    'chief\ufe6bcorp\uff0eexample': 'corp.example',
    'chief+x@corp.example': 'corp.example',
    '"chief"@corp.example': 'corp.example',
    '<chief@corp.example>': 'corp.example',
    'mailto:chief@corp.example': 'corp.example',
    'acct:chief@corp.example': 'corp.example',
    'chief@x@corp.example': 'corp.example',
    'samlp|corp|chief@corp.example': 'corp.example',
    'chief@[192.0.2.1]': '192.0.2.1',
    'ch\u00e9f@b\u00fccher.example': 'b\u00fccher.example',
  }
  for (const [id, domain] of Object.entries(addresses)) {
    test(`is ${id}`, () => assert.equal(addressDomain(id), domain))
  }

  for (const id of ['@corp', 'jane@', 'jane', 'a:b:c@d:e', 'chief@localhost']) {
    test(`is not ${id}`, () => assert.equal(addressDomain(id), undefined))
  }
})
