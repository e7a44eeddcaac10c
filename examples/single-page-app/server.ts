/** Serves the files of the single-page app, and tells it the settings. The app itself is `app.js`. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { setting } from '../settings.ts'

const home = setting('SPA')
const settings = { issuer: setting('ISSUER'), clientId: setting('SPA_CLIENT_ID'), api: setting('API') }
const library = createRequire(import.meta.url)
  .resolve('oidc-client-ts')
  .replace(/dist.*/, 'dist/browser/')

function file(path: string | URL, type: string) {
  return { body: readFileSync(path), type: `${type}; charset=utf-8` }
}

const files = new Map([
  ['/', file(new URL('index.html', import.meta.url), 'text/html')],
  ['/app.js', file(new URL('app.js', import.meta.url), 'text/javascript')],
  ['/oidc-client-ts.js', file(`${library}oidc-client-ts.min.js`, 'text/javascript')],
  ['/settings.json', { body: Buffer.from(JSON.stringify(settings)), type: 'application/json' }],
])

const server = createServer((request, response) => {
  const found = files.get(new URL(request.url ?? '', home).pathname)
  if (found === undefined) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': found.type }).end(found.body)
})
server.listen(Number(new URL(home).port), () => console.log(`single-page app: ${home}`))
