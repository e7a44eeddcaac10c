import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { given } from '../../../test/support/given.ts'
import { nameKey, nameProblem } from '../../kernel/name.ts'
import { MOST_DOMAINS, organization } from './decider.ts'
import { organizations } from './documents.ts'
import type { OrganizationEvent } from './events.ts'
import { canonicalDomain } from './names.ts'
import { isLiving, primaryDomain } from './state.ts'

const added: OrganizationEvent = { type: 'organization.added.v1', data: { name: 'ACME' } }
const deactivated: OrganizationEvent = { type: 'organization.deactivated.v1', data: {} }
const removed: OrganizationEvent = { type: 'organization.removed.v1', data: {} }
function domainAdded(domain: string): OrganizationEvent {
  return { type: 'organization.domain_added.v1', data: { domain } }
}
function verified(domain: string): OrganizationEvent {
  return { type: 'organization.domain_verified.v1', data: { domain } }
}
const started: OrganizationEvent = {
  type: 'organization.domain_validation_started.v1',
  data: { domain: 'acme.example', proof: 'dns', token: 'new' },
}

suite('organization', () => {
  test('is added once; its id is never used again', () => {
    given(organization).when({ type: 'add', name: 'ACME' }).then(added)
    given(organization, added).when({ type: 'add', name: 'Other' }).thenRefused('organization.id_taken')
    given(organization, added, removed).when({ type: 'add', name: 'ACME' }).thenRefused('organization.id_taken')
  })

  test('a name of nothing, or with hidden characters, is refused', () => {
    for (const name of ['', '  ', '\u00a0', 'a\u0000b', 'a\u202eb', 'a\nb', '\ud800']) {
      given(organization).when({ type: 'add', name }).thenRefused('organization.name_invalid')
    }
  })

  test('it is renamed to another name only', () => {
    given(organization, added)
      .when({ type: 'rename', name: 'Acme' })
      .then({ type: 'organization.renamed.v1', data: { name: 'Acme' } })
    given(organization, added).when({ type: 'rename', name: 'ACME' }).then()
    given(organization).when({ type: 'rename', name: 'ACME' }).thenRefused('organization.not_found')
  })

  test('it is deactivated, reactivated and removed, but never the default one', () => {
    const isDefault = true
    given(organization, added).when({ type: 'deactivate', isDefault: false }).then(deactivated)
    given(organization, added, deactivated)
      .when({ type: 'deactivate', isDefault: false })
      .thenRefused('organization.not_active')
    given(organization, added).when({ type: 'reactivate' }).thenRefused('organization.not_inactive')
    given(organization, added, deactivated)
      .when({ type: 'reactivate' })
      .then({ type: 'organization.reactivated.v1', data: {} })
    given(organization, added, deactivated).when({ type: 'remove', isDefault: false }).then(removed)
    given(organization, added).when({ type: 'deactivate', isDefault }).thenRefused('organization.is_default')
    given(organization, added).when({ type: 'remove', isDefault }).thenRefused('organization.is_default')
    given(organization, added, removed).when({ type: 'remove', isDefault: false }).then()
  })

  test('it claims its name and its verified domains, and nothing once it is removed', () => {
    const { state } = given(
      organization,
      added,
      domainAdded('a.example'),
      domainAdded('b.example'),
      verified('b.example'),
    )
    assert.deepEqual(
      organizations.claims?.(state).map(({ kind, value }) => `${kind} ${value}`),
      ['organization-name acme', 'organization-domain b.example'],
    )
    assert.deepEqual(organizations.claims?.(given(organization, added, removed).state), [])
  })
})

suite('domains of an organization', () => {
  const domain = 'acme.example'
  const verify = { type: 'verify_domain', domain, token: 'new', proven: true } as const

  test('a domain is added once, in its one spelling', () => {
    given(organization, added).when({ type: 'add_domain', domain: 'ACME.example.' }).then(domainAdded(domain))
    given(organization, added, domainAdded(domain))
      .when({ type: 'add_domain', domain: 'Acme.Example' })
      .thenRefused('organization.domain_exists')
  })

  test('what is not a domain name is refused', () => {
    for (const text of [
      '',
      'localhost',
      'a b.example',
      '127.0.0.1',
      '[::1]',
      '0177.1',
      '2130706433',
      'a..example',
      '-a.example',
      'a.1',
      `${'x'.repeat(64)}.example`,
      'a@b.example',
      'a.example/x',
      'a.example:80',
      'a.example?x',
      'a.example#x',
      'a%2eexample',
      'a.example\\x',
      'a.example／x',
      'a\u2100.example',
      '\ud800.example',
    ]) {
      given(organization, added).when({ type: 'add_domain', domain: text }).thenRefused('organization.domain_invalid')
    }
    assert.equal(canonicalDomain('münchen.example'), 'xn--mnchen-3ya.example')
  })

  test('there are never more than one document can hold', () => {
    const full = Array.from({ length: MOST_DOMAINS }, (_, index) => domainAdded(`d${index}.example`))
    given(organization, added, ...full)
      .when({ type: 'add_domain', domain })
      .thenRefused('organization.too_many_domains')
  })

  test('a domain is verified by the token that was asked for last', () => {
    given(organization, added, domainAdded(domain), started).when(verify).then(verified(domain))
    given(organization, added, domainAdded(domain), started)
      .when({ ...verify, token: 'old' })
      .thenRefused('organization.domain_validation_changed')
    given(organization, added, domainAdded(domain), started)
      .when({ ...verify, proven: false })
      .thenRefused('organization.domain_not_proven')
    given(organization, added, domainAdded(domain)).when(verify).thenRefused('organization.domain_validation_missing')
    given(organization, added).when(verify).thenRefused('organization.domain_not_found')
    given(organization, added, domainAdded(domain), verified(domain))
      .when(verify)
      .thenRefused('organization.domain_verified')
  })

  test('the first verified domain is the primary one', () => {
    const events = ['a.example', 'b.example', 'c.example'].map(domainAdded)
    const { state } = given(organization, added, ...events, verified('c.example'), verified('b.example'))
    assert.ok(isLiving(state))
    assert.equal(primaryDomain(state), 'b.example')
  })
})

test('the key of an organization name is stable: folding it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
      if (nameProblem(name) === undefined) assert.equal(nameKey(nameKey(name)), nameKey(name))
    }),
  )
  assert.equal(nameKey('  ＡＣＭＥ  Ｇroup '), 'acme group')
})
