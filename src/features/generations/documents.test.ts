/** The numbers that end sessions and tokens, without a database. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { type Generations, isCurrent } from '../../kernel/generations.ts'
import { userGenerations } from './documents.ts'
import { endingsOf } from './endings.ts'

suite('what a user has opened', () => {
  test('ends all at once, where it is from before a new password, or for one project', () => {
    const { state } = given(
      userGenerations,
      { type: 'tokens.invalidated.v1', data: { of: 'all' } },
      { type: 'tokens.invalidated.v1', data: { of: 'password' } },
      { type: 'tokens.invalidated.v1', data: { of: 'project', projectId: 'p' } },
      { type: 'tokens.invalidated.v1', data: { of: 'project', projectId: 'p' } },
    )
    assert.deepEqual(state, { all: 1, password: 1, projects: { p: 2 } })
    given(userGenerations)
      .when({ of: 'project', projectId: 'p' })
      .then({ type: 'tokens.invalidated.v1', data: { of: 'project', projectId: 'p' } })
  })
})

suite('what ends a kind', () => {
  test('is read from its declaration: one that declares nothing does not compile', () => {
    assert.ok(endingsOf({ waits: { endsWith: ['user'] } }))
    // @ts-expect-error: it does not say what ends it.
    assert.throws(() => endingsOf({}))
  })
})

suite('something that remembers how often its user was locked out', () => {
  test('is current while the number is the same', () => {
    assert.equal(isCurrent({ user: 2, organization: 0 }, { user: 2, organization: 0 }), true)
    assert.equal(isCurrent({ user: 3, organization: 0 }, { user: 2, organization: 0 }), false)
    assert.equal(isCurrent({ user: 2, organization: 1 }, { user: 2, organization: 0 }), false)
  })

  test('from before that was remembered, is current if there never was a lockout', () => {
    assert.equal(isCurrent({ user: 0, organization: 0 }, undefined), true)
    assert.equal(isCurrent({ user: 1, organization: 0 }, undefined), false)
  })

  test('from before reopenings were counted, is current until the first', () => {
    const remembered: Partial<Generations<'user' | 'application'>> = { user: 2 }
    assert.equal(isCurrent({ application: 0 }, remembered), true)
    assert.equal(isCurrent({ application: 1 }, remembered), false)
    assert.equal(isCurrent({}, remembered), true)
  })

  test('ends with all but what it is forgiven', () => {
    assert.equal(isCurrent({ user: 0, password: 1 }, { user: 0, password: 0 }, 'password'), true)
    assert.equal(isCurrent({ user: 1, password: 1 }, { user: 0, password: 0 }, 'password'), false)
  })
})
