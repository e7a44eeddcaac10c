import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Actor, actorName, actorOfText, actorText, actorType, namedActor } from './actor.ts'

const NAMES = ['1', 'system', 'visitor', 'anonymous', 'server', 'user', 'transmitter']
const ACTORS: readonly Actor[] = [
  'server',
  'visitor',
  'anonymous',
  ...NAMES.flatMap((name) => [{ user: name }, { transmitter: name }]),
]

suite('an actor', () => {
  test('is read from the log as it was written', () => {
    for (const actor of ACTORS) assert.deepEqual(actorOfText(actorText(actor)), actor)
  })

  test('has a text that nobody else has', () => {
    assert.equal(new Set(ACTORS.map(actorText)).size, ACTORS.length)
  })

  test('of a log from before reads as it was meant: words are nobody, everything else is a user', () => {
    assert.deepEqual(['system', 'visitor', 'anonymous', 'server', '42'].map(actorOfText), [
      'server',
      'visitor',
      'anonymous',
      { user: 'server' },
      { user: '42' },
    ])
  })

  test('is told to clients by name and type, and a user whose ID is a word is a user', () => {
    const told = (actor: Actor) => [actorName(actor), actorType(actor)]
    assert.deepEqual(told('server'), ['system', 'server'])
    assert.deepEqual(told({ user: 'system' }), ['system', 'user'])
    assert.deepEqual(told({ transmitter: '7' }), ['7', 'transmitter'])
    assert.deepEqual(namedActor('system'), 'server')
    assert.deepEqual(namedActor('7'), { user: '7' })
  })
})
