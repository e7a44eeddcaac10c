import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { LANGUAGE_TAGS, languageOf } from '../../kernel/languages.ts'
import { placeProblem } from '../../kernel/placeholders.ts'
import { BUILT_IN } from './built-in-texts.ts'
import { MESSAGE_TYPES, PART_NAMES } from './message-types.ts'
import { carriesProof, placesOf } from './placeholders.ts'
import { formatDuration, renderMail } from './render.ts'
import { publicLink } from './url-template.ts'

const link = publicLink('https://signet.example', '/verify?code={{.Code}}&user={{.UserID}}', {
  Code: 'ABC',
  UserID: 'u',
})
const values = { displayName: 'Mini Mouse', userName: 'mini', code: 'ABC234', link, validForMinutes: 60 }

suite('what mails say', () => {
  test('there is a text of every type in every language, with known places only', () => {
    for (const language of LANGUAGE_TAGS) {
      for (const type of MESSAGE_TYPES) {
        for (const [name, text] of Object.entries(BUILT_IN[language].messages[type])) {
          assert.notEqual(text, '', `${language} ${type} ${name}`)
          assert.equal(placeProblem(text, placesOf(type)), undefined, `${language} ${type} ${name}`)
        }
      }
    }
  })

  test('page and text hold greeting, link, code and how long they are valid', () => {
    for (const language of LANGUAGE_TAGS) {
      for (const type of MESSAGE_TYPES.filter(carriesProof)) {
        const { subject, text, html } = renderMail(type, language, [], values)
        assert.ok(subject.length > 0 && !/[{}]/.test(subject + text))
        assert.ok(text.includes('Mini Mouse') && text.includes(link) && text.includes('ABC234'))
        assert.ok(text.includes(formatDuration(60, language)))
        assert.ok(html.includes(`lang="${language}"`) && html.includes('Mini Mouse') && html.includes('ABC234'))
        assert.ok(html.includes(`href="${link.replace('&', '&amp;')}"`))
      }
    }
  })

  test('a notice has neither button nor code', () => {
    const { text, html } = renderMail('password_changed', 'en', [], { displayName: 'Mini', userName: 'mini' })
    assert.doesNotMatch(html, /<a |class="code"/)
    assert.doesNotMatch(text, /https?:/)
  })

  test('the language is that of the tag, whatever its region and case', () => {
    assert.deepEqual(['de-CH', 'FR', 'en_US', 'sv', '', 'deu'].map(languageOf), [
      'de',
      'fr',
      'en',
      undefined,
      undefined,
      undefined,
    ])
    assert.match(renderMail('verify_email', 'de', [], values).subject, /Bestätigen/)
    assert.deepEqual(
      [formatDuration(60, 'de'), formatDuration(4320, 'fr'), formatDuration(90, 'en')],
      ['1 Stunde', '72\u00a0heures', '90 minutes'],
    )
    assert.deepEqual(
      [60, 4320, 300].map((minutes) => formatDuration(minutes, 'pl')),
      ['1 godzina', '72 godziny', '5 godzin'],
    )
  })

  test('the narrowest text that was set counts, part by part', () => {
    const organization = { subject: 'Ours {{.OrganizationName}}' }
    const instance = { subject: 'Theirs', greeting: 'Dear {{.FirstName}}' }
    const mail = renderMail('invitation', 'en', [organization, instance], {
      ...values,
      firstName: 'Mini',
      organizationName: 'North',
    })
    assert.equal(mail.subject, 'Ours North')
    assert.match(mail.text, /Dear Mini\n/)
    assert.match(mail.text, /Accept the invitation/)
  })

  test('a page of their own gets the parts and the values, escaped', () => {
    const html = '<b>{{.Title}}</b><p>{{.Text}}</p><a href="{{.Link}}">{{.ButtonText}}</a><i>{{.DisplayName}}</i>'
    const custom = { html, text: 'one <two>\nthree {{.DisplayName}}', title: '{{.Code}}' }
    const mail = renderMail('verify_email', 'en', [custom], { ...values, displayName: '<script>"&' })
    assert.equal(
      mail.html,
      `<b>ABC234</b><p>one &lt;two&gt;<br>three &lt;script&gt;&quot;&amp;</p><a href="${link.replace('&', '&amp;')}">Verify email address</a><i>&lt;script&gt;&quot;&amp;</i>`,
    )
  })

  test('no value adds a tag to the page, a line to the subject, or a place of its own', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '`',
      '\r\n',
      '\0',
      '\u2028',
      '{{.Code}}',
      '</p><script>',
      'a',
      '\ud800',
    )
    const nasty = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''))
    const tagsOf = (page: string) => page.match(/<[^>]*>/g) ?? []
    const clean = renderMail('verify_email', 'en', [], values)
    fc.assert(
      fc.property(nasty, nasty, (displayName, userName) => {
        const parts = { subject: 'For {{.DisplayName}} {{.UserName}}' }
        const mail = renderMail('verify_email', 'en', [parts], { ...values, displayName, userName })
        assert.deepEqual(
          tagsOf(mail.html).filter((tag) => tag !== '<br>'),
          tagsOf(clean.html).filter((tag) => tag !== '<br>'),
        )
        assert.doesNotMatch(mail.subject, /[\p{Cc}\p{Zl}\p{Zp}]/u)
        assert.equal(mail.text.split('ABC234').length, 2)
        assert.ok((mail.subject + mail.text + mail.html).isWellFormed())
      }),
    )
  })

  test('all parts can be set by their names', () => {
    const names = ['subject', 'title', 'greeting', 'text', 'buttonText', 'footer', 'html', 'preHeader']
    assert.deepEqual([...PART_NAMES], names)
  })
})
