import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { CODE_VARIABLES, publicLink, renderUrlTemplate, urlTemplateProblem } from './url-template.ts'

const values = { Code: 'A B&c', UserID: 'user/1', OrgID: 'org#1' }

suite('templates of links', () => {
  test('places are filled with percent-encoded values', () => {
    const template = 'https://app.example/verify/{{.UserID}}?code={{ .Code }}&org={{.OrgID}}'
    assert.equal(urlTemplateProblem(template, CODE_VARIABLES), undefined)
    assert.equal(renderUrlTemplate(template, values), 'https://app.example/verify/user%2F1?code=A%20B%26c&org=org%231')
  })

  test('a template without places, with a port, with a fragment or over http is fine', () => {
    for (const template of [
      'http://localhost:3000/x',
      'https://a.example',
      'https://a.example/#/{{.Code}}',
      'https://[::1]/',
    ]) {
      assert.equal(urlTemplateProblem(template, CODE_VARIABLES), undefined, template)
    }
  })

  test('everything else is refused', () => {
    for (const template of [
      'https://a.example/{{.Password}}',
      'https://a.example/{{.code}}',
      'https://a.example/{{Code}}',
      'https://a.example/{{if .Code}}x{{end}}',
      'https://a.example/{{.Code | printf}}',
      'https://a.example/{{.Code',
      'https://{{.Code}}.example/',
      'https://a.example{{.Code}}/',
      'https://a.example:{{.Code}}/',
      '{{.Code}}',
      '/verify?code={{.Code}}',
      '//a.example/{{.Code}}',
      'javascript:alert("{{.Code}}")',
      'ftp://a.example/{{.Code}}',
      'https://user@a.example/{{.Code}}',
      'https://a.example@evil.example/{{.Code}}',
      'https://a.example\\@evil.example/{{.Code}}',
      'https://a.example/"onclick="{{.Code}}',
      'https://a.example/<script>{{.Code}}',
      'https://a.example/\r\nBcc: x',
      'https://a.example/ {{.Code}}',
      'https://a.example/\u2028',
      'https:///{{.Code}}',
      'https://',
      '',
    ]) {
      assert.notEqual(urlTemplateProblem(template, CODE_VARIABLES), undefined, template)
    }
  })

  test('no value changes where a link leads', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (code) => {
        const link = publicLink('https://signet.example/ignored/', '/verify?code={{.Code}}', { Code: code })
        const url = new URL(link)
        assert.deepEqual([url.origin, url.pathname, url.hash], ['https://signet.example', '/verify', ''])
        assert.deepEqual([...url.searchParams], [['code', code.toWellFormed()]])
        assert.match(link, /^[!-~]+$/)
        assert.doesNotMatch(link, /["'<>]/)
      }),
    )
  })

  test('a template that was not checked makes no link', () => {
    assert.throws(() => renderUrlTemplate('javascript:{{.Code}}', { Code: '1' }))
    assert.throws(() => renderUrlTemplate('https://a.example/{{.UserID}}', { Code: '1' }))
  })
})
