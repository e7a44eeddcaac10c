import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readSentence, say, sentencesIn } from './sentences.ts'

const en = {
  title: 'Sessions',
  atLeast: 'At least {count} characters',
  left: '{count, plural, one {1 code left} other {{count} codes left}} for {name}',
  total: '{count, number} entries',
  signedIn: '{user} signed in{method, select, passkey { with a passkey} other {}}',
  checks: ['One.', 'Two.'],
  flaws: { short: 'At least {least} characters.', common: 'Too common.' },
} as const

const english = sentencesIn<typeof en>(en, 'en')

suite('a sentence', () => {
  test('without values is a text, and one with values asks for them by name', () => {
    assert.equal(english.title, 'Sessions')
    assert.equal(english.atLeast({ count: 8 }), 'At least 8 characters')
    assert.deepEqual(english.checks, ['One.', 'Two.'])
  })

  test('has the form of the plural that the language has for a number', () => {
    const texts = { ...en, left: '{count, plural, one {{count} kod} few {{count} kody} other {{count} kodów}}: {name}' }
    const polish = sentencesIn<typeof en>(texts, 'pl')
    const said = [1, 2, 5, 22].map((count) => polish.left({ count, name: 'Ada' }))
    assert.deepEqual(said, ['1 kod: Ada', '2 kody: Ada', '5 kodów: Ada', '22 kody: Ada'])
    assert.equal(english.left({ count: 1, name: 'Ada' }), '1 code left for Ada')
  })

  test('has a form of its own for an exact number', () => {
    const texts = { ...en, left: '{count, plural, =0 {Nothing} one {One} other {{count} codes}} for {name}' }
    const said = [0, 1, 2].map((count) => sentencesIn<typeof en>(texts, 'en').left({ count, name: 'Ada' }))
    assert.deepEqual(said, ['Nothing for Ada', 'One for Ada', '2 codes for Ada'])
  })

  test('writes a number as the language does', () => {
    assert.equal(english.total({ count: 12345 }), '12,345 entries')
    assert.equal(
      sentencesIn<typeof en>({ ...en, total: '{count, number} Einträge' }, 'de').total({ count: 12345 }),
      '12.345 Einträge',
    )
  })

  test('has the form of the word that is given', () => {
    assert.equal(english.signedIn({ user: 'Ada', method: 'passkey' }), 'Ada signed in with a passkey')
    assert.equal(english.signedIn({ user: 'Ada', method: 'unknown' }), 'Ada signed in')
  })

  test('leaves braces in values as they are', () => {
    assert.equal(english.signedIn({ user: '{method}', method: '' }), '{method} signed in')
  })

  test('does not compile with a wrong value', () => {
    // @ts-expect-error: the value is called count
    assert.equal(english.atLeast({ n: 1 }), 'At least  characters')
    // @ts-expect-error: a plural needs a number
    assert.equal(english.left({ count: '1', name: '' }), '1 code left for ')
    // @ts-expect-error: the name is missing
    assert.equal(english.left({ count: 2 }), '2 codes left for ')
  })

  test('of several is said with the values of all of them', () => {
    const flaw: 'short' | 'common' = ['short', 'common'].includes('short') ? 'short' : 'common'
    assert.equal(say(english.flaws[flaw], { least: 8 }), 'At least 8 characters.')
    assert.equal(say(english.flaws.common, {}), 'Too common.')
  })

  test('with braces that do not fit cannot be read', () => {
    for (const text of [
      '{count',
      'count}',
      '{count, plural, one {1}}',
      '{count, date}',
      '{ count }',
      '{n, plural, other {1}',
    ]) {
      assert.throws(() => readSentence(text), /cannot be read/, text)
    }
  })
})
