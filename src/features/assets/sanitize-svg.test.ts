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
    '<rect style="mask:image-set(&quot;//evil.example/x&quot; 1x)"/>',
    '<rect style="mask:-webkit-image-set(&quot;evil.png&quot; 1x)"/>',
    '<rect fill="src(\'//evil.example/x\')"/>',
    '<rect mask="cross-fade(url(#a), &quot;evil.png&quot;)"/>',
    '<style>.a{mask:image-set("//evil.example/x" 1x)}</style>',
    '<style>.a{fill:red}<!-- -->@import "//evil.example/x";.b{fill:blue}</style>',
    '<style><![CDATA[@import url("//evil.example/x");]]></style>',
    '<style>.a{.b{fill:url(//evil.example/x)}}</style>',
    '<style>@font-face{font-family:evil;src:url(//evil.example/f)}</style>',
    '<style>.a{fill:red;}}@import "//evil.example/x";</style>',
    '<style>/*</style><script>alert(1)</script><style>*/</style>',
    '<SCRIPT>alert(1)</SCRIPT>',
    '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>',
    '<g xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></g>',
    '<rect xml:base="https://evil.example/" fill="url(#a)"/>',
    '<rect OnLoad="alert(1)"/>',
    '<use href=" javascript:alert(1)"/>',
    '<use xlink:href="&#x09;javascript:alert(1)"/>',
    '<handler type="text/ecmascript">alert(1)</handler>',
    '<video src="//evil.example/x"/>',
    '<rect fill="&#117;rl(//evil.example/x)"/>',
    '<rect style="fill:&#117;&#114;&#108;(//evil.example)"/>',
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

test('a style sheet of half a megabyte that never ends costs no more than another one', () => {
  for (const one of [
    'a',
    '@',
    '/*a',
    '{',
    '}',
    'a{',
    ';',
    '@a{',
    'a{fill:red',
    '/*/',
    'a{fill:url(',
    ' ',
    ':',
    'a{b:',
  ]) {
    const sheet = one.repeat(Math.floor((500 * 1024) / one.length))
    const left = sanitizeSvg(`<svg><style>${sheet}</style><rect style="${sheet.replaceAll('<', '')}"/></svg>`)
    assert.ok(left.length < 200 || one === ' ', one)
  }
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
