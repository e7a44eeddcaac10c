/** Where SAML providers find us: our metadata for each, and the address that their responses are posted to. */
import { pemOf } from '../crypto/certificate.ts'
import { finishSamlSignIn } from '../features/sign-in/index.ts'
import { ownMetadata, ownSide } from '../features/sign-in-intents/index.ts'
import type { PageAnswer, PageRequest } from '../http/page.ts'
import { UnreadableForm } from '../http/unreadable-form.ts'
import { whereaboutsOf } from '../http/user-agent.ts'
import { SAML_PROVIDERS_PATH } from '../kernel/page-paths.ts'
import type { App } from '../module/app.ts'
import { BadMessage } from './bad-message.ts'
import { type SamlBrowser, seeOther } from './browser.ts'

/** A response of 200,000 characters, twice escaped. */
const MOST_FORM_BYTES = 640 * 1024

const VERBS: Readonly<Record<string, readonly string[]>> = {
  metadata: ['GET', 'HEAD'],
  certificate: ['GET', 'HEAD'],
  acs: ['POST'],
}

async function readForm(request: PageRequest): Promise<URLSearchParams> {
  const type = /^[^;\s]*/.exec(request.header('content-type') ?? '')?.[0] ?? ''
  if (type.toLowerCase() !== 'application/x-www-form-urlencoded') throw new UnreadableForm(415)
  return new URLSearchParams(Buffer.from(await request.readBytes(MOST_FORM_BYTES)).toString('utf8'))
}

function only(form: URLSearchParams, name: string): string {
  const [value = '', ...others] = form.getAll(name)
  if (others.length > 0) throw new BadMessage(`The parameter ${name} is there twice.`)
  return value
}

async function receive(app: App, request: PageRequest, browser: SamlBrowser, providerId: string): Promise<PageAnswer> {
  const form = await readForm(request)
  const finished = await finishSamlSignIn(app, {
    providerId,
    relayState: only(form, 'RelayState'),
    response: only(form, 'SAMLResponse'),
    browser: browser.readBrowser(request),
    from: whereaboutsOf(request),
  })
  if (finished.type === 'redirect') return seeOther(finished.url)
  if (finished.type === 'busy') throw new BadMessage('The server is busy. Start again.', 503)
  throw new BadMessage('The response belongs to no sign-in that was started here, or was used before.')
}

/** Answers what is asked below the address of SAML providers. */
export async function answerUpstream(app: App, request: PageRequest, browser: SamlBrowser): Promise<PageAnswer> {
  const [id = '', protocol, name = '', ...more] = request.path.slice(SAML_PROVIDERS_PATH.length).split('/')
  const verbs = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined
  const side = protocol === 'saml' && verbs && more.length === 0 ? await ownSide(app, id) : undefined
  if (side === undefined || verbs === undefined) throw new BadMessage('There is no such identity provider.', 404)
  if (!verbs.includes(request.method)) throw new BadMessage(`This address is for ${verbs.join(' and ')}.`, 405)
  if (name === 'acs') return receive(app, request, browser, id)
  if (name === 'metadata') {
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n${ownMetadata(app, side)}`
    return { status: 200, contentType: 'application/samlmetadata+xml', body }
  }
  const headers = { 'content-disposition': 'attachment; filename="idp.crt"' }
  return { status: 200, contentType: 'application/x-pem-file', body: pemOf(side.connection.own.certificate), headers }
}
