import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { emailProblem, phoneNumber } from './contact.ts'
import { changedProfile, languageTag, profileProblems } from './profile.ts'

suite('the profile of a request', () => {
  test('is filled in: display name from the names, language as the standard writes it', () => {
    const made = changedProfile({ firstName: 'Ana', lastName: 'Berg', preferredLanguage: 'DE-ch' })
    assert.equal(made.displayName, 'Ana Berg')
    assert.equal(made.preferredLanguage, 'de-CH')
    assert.equal(made.gender, 'unspecified')
    assert.equal(changedProfile({ displayName: '' }, made).displayName, 'Ana Berg')
    assert.deepEqual(changedProfile({}, made), made)
    assert.equal(changedProfile({ lastName: 'Stein' }, made).displayName, 'Ana Berg')
  })

  test('names every field that cannot be kept', () => {
    const change = { firstName: ' ', lastName: 'a\u0007', nickName: '', displayName: 'a\nb', preferredLanguage: 'x' }
    const fields = profileProblems(change, 'profile.').map(({ field }) => field)
    const wrong = ['firstName', 'lastName', 'displayName', 'preferredLanguage']
    assert.deepEqual(
      fields,
      wrong.map((name) => `profile.${name}`),
    )
  })
})

suite('what can be an e-mail address', () => {
  const good = ['a@b', 'A+tag@Example.COM', "o'neil@x.org", 'a@xn--mnchen-3ya.de', `${'x'.repeat(64)}@b.de`]
  const bad = [
    ...['', 'a', '@b.de', 'a@', 'a@b@c.de', 'a..b@c.de', '.a@c.de', 'a.@c.de', 'a b@c.de', 'a@c d.de', 'a@-c.de'],
    ...['a@c.de.', 'a@1.2.3.4', 'a@[1.2.3.4]', '"a"@c.de', 'a(x)@c.de', '<a@c.de>', 'Sam <a@c.de>', 'a@c.de,b@d.de'],
    ...['a@c.de\n', 'a@c.de\r\nBcc: b@d.de', 'a\u0000@c.de', 'a＠c.de', 'ａ@c.de', 'a@ｃ.de', 'a@münchen.de', 'ä@c.de'],
    ...['a@c.de\u2028', 'a\u200b@c.de', `${'x'.repeat(65)}@b.de`, `a@${'x'.repeat(64)}.de`, `a@${'b.'.repeat(127)}de`],
  ]
  for (const text of good) test(`${text} can`, () => assert.equal(emailProblem(text), undefined))
  for (const text of bad) test(`${JSON.stringify(text)} cannot`, () => assert.ok(emailProblem(text)))
})

suite('what can be a phone number', () => {
  const numbers: Readonly<Record<string, string | undefined>> = {
    '+41791234567': '+41791234567',
    // Of which country?
    '079 123 45 67': undefined,
    '555-555-5555': undefined,
    '0041 79 123 45 67': '+41791234567',
    '+41 (79) 123-45-67': '+41791234567',
    '+1 555 000 1111': '+15550001111',
    '+416136459948': '+416136459948',
    '+49123456': '+49123456',
    '': undefined,
    '123': undefined,
    '+4106060606': undefined,
    '+': undefined,
    'call me': undefined,
    '+41791234567 ext. 5': undefined,
    '+41791234567;ext=5': undefined,
    '+99912345678': undefined,
    '+417912345678901234': undefined,
  }
  for (const [text, number] of Object.entries(numbers)) {
    test(`${JSON.stringify(text)} is ${number ?? 'none'}`, () => assert.equal(phoneNumber(text), number))
  }
})

suite('what can be a language', () => {
  test('is a tag, written as the standard does', () => {
    const tags = ['', 'de', 'DE-ch', 'zh-hant-tw', 'sr-Latn']
    assert.deepEqual(tags.map(languageTag), ['', 'de', 'de-CH', 'zh-Hant-TW', 'sr-Latn'])
    assert.deepEqual(['x', 'en_US', 'de-', '123', 'german lang'].map(languageTag), Array(5).fill(undefined))
  })
})
