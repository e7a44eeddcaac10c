/** Branding at the console, with its files, and the pages that show it, in a real Chromium. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, seesNotice, startConsole } from '../support/console.ts'
import { addPersonWithPassword, press, signInWith } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Drawing programs leave out the size: there is only the ratio. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20" onload="throw Error('svg')">
  <script>throw Error('svg')</script><rect width="80" height="20"/></svg>`

/** Chooses a file with one of the buttons of the page. */
async function upload(page: Page, label: string, name: string, content: Buffer | string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await press(page, `Upload: ${label}`)
  await (await chooser).setFiles({ name, mimeType: '', buffer: Buffer.from(content) })
}

suite('branding and pictures', { ...options, timeout: 400_000 }, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test('an administrator drafts a look with a note about its contrast, and publishes it', options, async () => {
    const { page, complaints } = await world.openAs('root', '/branding')
    const color = page.getByRole('textbox', { name: 'Text, Light colors', exact: true })
    await color.fill('pink')
    await press(page, 'Save draft')
    await page.getByText('Enter a color like #5469d4.').waitFor()
    await color.fill('#dddddd')
    await page.getByText('Hard to read on this background').waitFor()
    await color.fill('#222222')
    await page.getByText('Hard to read on this background').waitFor({ state: 'detached' })
    await page.getByLabel('Hide “Signet” on pages').check()
    await press(page, 'Save draft')
    await page.getByText('Unpublished draft').waitFor()
    await press(page, 'Publish')
    await page.getByText('Published', { exact: true }).waitFor()
    const { policy } = (await world.call('GET', '/admin/v1/policies/label')) as { policy: Record<string, unknown> }
    assert.equal(policy.fontColor, '#222222')
    assert.deepEqual(complaints, [])
  })

  test(
    'an administrator uploads a logo without its scripts, an icon and a font; other files are refused',
    options,
    async () => {
      const { page, complaints } = await world.openAs('root', '/branding')
      const files = page.getByRole('region', { name: 'Files' })
      await upload(page, 'Logo', 'logo.svg', SVG)
      await seesNotice(page, 'File uploaded.')
      const logo = files.getByRole('img', { name: 'Logo', exact: true })
      await logo.waitFor()
      const url = (await logo.getAttribute('src')) ?? ''
      assert.doesNotMatch(await (await fetch(url)).text(), /script|onload/)
      const refused = page.getByRole('alert').filter({ hasText: 'The format of the file is not supported.' })
      await upload(page, 'Icon', 'icon.png', '<html><script>throw Error(1)</script></html>')
      await refused.waitFor()
      await refused.getByRole('button').click()
      await refused.waitFor({ state: 'detached' })
      await upload(page, 'Font', 'font.woff2', PNG)
      await refused.waitFor()
      await page.getByRole('button', { name: 'Remove: Icon' }).waitFor({ state: 'detached' })
      await upload(page, 'Icon', 'icon.png', PNG)
      await files.getByRole('img', { name: 'Icon', exact: true }).waitFor()
      await upload(page, 'Font', 'font.woff2', 'wOF2, not a real font')
      await files.getByText('Uploaded, see the preview').waitFor()
      await press(page, 'Remove: Font')
      await files.getByText('Uploaded, see the preview').waitFor({ state: 'detached' })
      await press(page, 'Publish')
      await page.getByText('Published', { exact: true }).waitFor()
      // The browser cannot read the font, which is none, and the preview continues without it.
      assert.deepEqual(
        complaints.filter((line) => !/decode downloaded font|OTS parsing error/.test(line)),
        [],
      )
      const visitor = await world.open({ javaScriptEnabled: true })
      await visitor.page.goto(`${world.url}/ui/login`)
      assert.equal(
        new URL((await visitor.page.locator('header img, img').first().getAttribute('src')) ?? '', world.url).href,
        url,
      )
      const box = await visitor.page.locator('header img').boundingBox()
      assert.ok((box?.width ?? 0) > 100 && (box?.height ?? 0) > 30, JSON.stringify(box))
      assert.match((await visitor.page.locator('link[rel=icon]').getAttribute('href')) ?? '', /\.png$/)
      await visitor.page.goto(url)
      assert.deepEqual(visitor.complaints, [])
    },
  )

  test('an organization has a look of its own, also where users sign in to its application', options, async () => {
    const { organizationId } = (await world.call('POST', '/v2/organizations', { name: 'Acme' })) as {
      readonly organizationId: string
    }
    const inAcme = (path: string, body: unknown) => world.call('POST', path, body, organizationId)
    const { id } = await inAcme('/management/v1/projects', {
      name: 'Shop',
      privateLabelingSetting: 'PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY',
    })
    const { clientId } = await inAcme(`/management/v1/projects/${id}/apps/oidc`, {
      name: 'Storefront',
      redirectUris: ['https://shop.example/callback'],
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
      appType: 'OIDC_APP_TYPE_USER_AGENT',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
    })
    const { page, complaints } = await world.openAs('root')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(`${world.url}/ui/console/branding?org=${organizationId}`)
    await page.getByText('From the instance').waitFor()
    // Files belong to a look of its own.
    assert.equal(await page.getByRole('button', { name: /^Upload/ }).count(), 0)
    await page.getByRole('textbox', { name: 'Buttons and links, Light colors', exact: true }).fill('#7a1f5c')
    await press(page, 'Save draft')
    await upload(page, 'Logo', 'logo.png', PNG)
    await page.getByRole('img', { name: 'Logo', exact: true }).waitFor()
    await press(page, 'Publish')
    await page.getByText('Published', { exact: true }).waitFor()

    const visitor = await world.open({ javaScriptEnabled: true, colorScheme: 'light' })
    const request = { client_id: String(clientId), redirect_uri: 'https://shop.example/callback', scope: 'openid' }
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }
    await visitor.page.goto(
      `${world.url}/oauth/v2/authorize?${new URLSearchParams({ ...request, ...pkce, response_type: 'code' })}`,
    )
    await visitor.page.getByRole('img', { name: 'Acme' }).waitFor()
    const color = await visitor.page
      .getByRole('button', { name: 'Sign in with a passkey' })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
    assert.equal(color, 'rgb(122, 31, 92)')
    await visitor.page.goto(`${world.url}/ui/login?other=yes`)
    assert.equal(await visitor.page.getByRole('img', { name: 'Acme' }).count(), 0)
    assert.deepEqual([...complaints, ...visitor.complaints], [])
  })

  test('a person changes their picture, and a file that is no picture is refused', options, async () => {
    await addPersonWithPassword(world, 'ada')
    const { page, complaints } = await world.open({ javaScriptEnabled: true })
    await signInWith(world, page, 'ada')
    await page.getByRole('link', { name: 'Change picture' }).click()
    const choose = async (buffer: Buffer, mimeType = 'image/png') => {
      await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType, buffer })
      await page.locator('form[enctype] button').click()
    }
    await choose(Buffer.from(SVG))
    await page.locator('.mistakes').waitFor()
    // A picture of noise, as large as one of a phone: the browser makes it smaller.
    const photo = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(2000, 1500)
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
      const noise = context.createImageData(2000, 1500)
      for (let at = 0; at < noise.data.length; at += 1) noise.data[at] = (at * 2654435761) >>> 13
      context.putImageData(noise, 0, 0)
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 })).arrayBuffer())
      return Array.from(bytes)
    })
    assert.ok(photo.length > 2 * 256 * 1024, `${photo.length} bytes`)
    await choose(Buffer.from(photo), 'image/jpeg')
    await page.waitForURL(/done=saved/)
    await page.getByRole('link', { name: 'Change picture' }).click()
    await choose(PNG)
    await page.waitForURL(/done=saved/)
    await page.locator('img.portrait').waitFor()
    assert.ok(await page.locator('img.portrait').evaluate((image) => (image as HTMLImageElement).naturalWidth > 0))
    assert.deepEqual(complaints, [])
  })
})
