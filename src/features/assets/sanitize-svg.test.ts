/** What is left of an uploaded SVG. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/support/small-world.ts'
import { sanitizeSvg } from './sanitize-svg.ts'

const NS = 'xmlns="http://www.w3.org/2000/svg"'

test('shapes, gradients and references to own parts stay', () => {
  const drawing = `<svg ${NS} viewBox="0 0 9 9"><defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs><path d="M0 0h9" fill="url(#a)" style="stroke:red;stroke-width:2"/><use href="#a"/><text x="1">A &amp; B</text></svg>`
  assert.equal(sanitizeSvg(drawing), drawing.replace('&amp;', '&#38;'))
})

test('scripts, handlers, links, foreign content and references to other places are left out', () => {
  const attacks = [
    '<script>alert(1)</script>',
    '<script xlink:href="https://evil.example/a.js"/>',
    '<svg:script>alert(1)</svg:script>',
    '<foreignObject><iframe src="javascript:alert(1)"/></foreignObject>',
    '<rect onload="alert(1)" onclick=\'alert(1)\'/>',
    '<a href="javascript:alert(1)"><rect/></a>',
    '<use href="https://evil.example/x.svg#a"/>',
    '<use xlink:href="data:image/svg+xml;base64,AAAA"/>',
    '<image href="https://evil.example/pixel"/>',
    '<rect fill="url(https://evil.example/x)"/>',
    '<rect style="fill:url(//evil.example/x)"/>',
    '<rect style="background:url(javascript:alert(1))"/>',
    '<rect fill="u\\72l(https://evil.example)"/>',
    '<style>@import "https://evil.example/x.css"; .a{fill:url(https://evil.example)}</style>',
    '<set attributeName="href" to="javascript:alert(1)"/>',
    '<animate attributeName="href" values="javascript:alert(1)"/>',
    '<rect href="&#106;avascript:alert(1)"/>',
    '<feImage href="https://evil.example"/>',
  ]
  for (const attack of attacks) {
    const left = sanitizeSvg(`<svg ${NS}>${attack}</svg>`)
    assert.doesNotMatch(
      left,
      /script|alert|evil|onload|onclick|foreignObject|iframe|import|animate|<set|feImage/i,
      left,
    )
  }
})

test('rules of a style sheet stay when they are harmless', () => {
  const sheet = '<style>/* a */ .a, .b { fill: #123456; behavior: url(x) } @media print { .c{fill:red} }</style>'
  assert.equal(sanitizeSvg(`<svg>${sheet}</svg>`), `<svg ${NS}><style>.a, .b{fill:#123456}</style></svg>`)
})

test('no entity of a document type is expanded', () => {
  const drawing =
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]><svg><text>&x;a</text></svg>'
  assert.equal(sanitizeSvg(drawing), `<svg ${NS}><text>&#38;x;a</text></svg>`)
})

test('what is not well-formed is refused', async () => {
  const broken = [
    '<svg',
    '<svg><g></svg>',
    '<svg/><svg/>',
    '<html/>',
    '',
    '<svg a=b/>',
    '<svg><!-- </svg>',
    `<svg>${'<g>'.repeat(200)}`,
  ]
  for (const one of broken) await isRefused((async () => sanitizeSvg(one))(), 'asset.svg_invalid')
})
