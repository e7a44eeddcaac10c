/** Times on pages: UTC by name, and a script that shows them in the time zone of the browser. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type HostedPages, openHostedPages } from '../../test/support/hosted-pages.ts'
import { holding } from '../../test/support/page-client.ts'

suite('times on pages', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  test('name their time zone, and a script of ours shows those of the browser', async () => {
    const headers = holding((await world.signIn(await world.addUser())).token)
    for (const [language, written] of [
      ['en', /Jan 15, 2027, 8:\d\d\sAM UTC/],
      ['de', /15\.01\.2027, 08:\d\d UTC/],
      ['fr', /15 janv\. 2027, 08:\d\d UTC/],
      ['es', /15 ene 2027, 8:\d\d UTC/],
      ['it', /15 gen 2027, 08:\d\d UTC/],
      ['nl', /15 jan 2027, 08:\d\d UTC/],
      ['pl', /15 sty 2027, 08:\d\d UTC/],
      ['pt', /15 de jan\. de 2027, 08:\d\d UTC/],
      ['ja', /2027\/01\/15 8:\d\d UTC/],
      ['zh', /2027年1月15日 08:\d\d UTC/],
    ] as const) {
      const page = await world.ask(`/ui/account?lang=${language}`, { headers })
      const [, at, text = ''] = /<time datetime="([^"]+)">([^<]+)<\/time>/.exec(page.text) ?? []
      assert.equal(at, '2027-01-15T08:00:00.000Z')
      assert.match(text, written)
      const scripts = [...page.text.matchAll(/<script type="module" src="(\/assets\/[^"]+)"/g)].map(
        ([, path = '']) => path,
      )
      assert.equal(scripts.length, 2)
      const bodies = await Promise.all(scripts.map(async (path) => (await world.ask(path)).text))
      assert.ok(bodies.some((body) => body.includes('time[datetime]')))
    }
  })
})
