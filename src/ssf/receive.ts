/** Takes events of trusted transmitters (RFC 8935). */
import { findSender, takeEvent, WrongEvent } from '../features/trusted-transmitters/index.ts'
import { type PageAnswer, type PageRequest, UnreadableForm } from '../http/page.ts'
import type { App } from '../module/app.ts'
import { emptyAnswer, SsfError } from './errors.ts'
import { wrongVerb } from './streams.ts'

const MOST_BYTES = 64 * 1024
const MEDIA_TYPE = 'application/secevent+jwt'

function unknownSender(): SsfError {
  return new SsfError(401, 'authentication_failed', 'The transmitter or its token is unknown.')
}

async function readText(page: PageRequest): Promise<string> {
  try {
    return new TextDecoder().decode(await page.readBytes(MOST_BYTES)).trim()
  } catch (error) {
    if (!(error instanceof UnreadableForm)) throw error
    throw new SsfError(413, 'invalid_request', `The event is larger than ${MOST_BYTES} bytes.`)
  }
}

/** `/ssf/v1/events/{transmitter}` */
export async function serveEvent(app: App, page: PageRequest, transmitterId: string): Promise<PageAnswer> {
  if (page.method !== 'POST') throw wrongVerb('POST')
  const [, token = ''] = /^bearer +([A-Za-z0-9]{1,200}) *$/i.exec(page.header('authorization') ?? '') ?? []
  const transmitter = transmitterId.length > 200 ? undefined : await findSender(app, transmitterId, token)
  if (transmitter === undefined) throw unknownSender()
  if ((page.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() !== MEDIA_TYPE) {
    throw new SsfError(400, 'invalid_request', `The content type must be ${MEDIA_TYPE}.`)
  }
  try {
    await takeEvent(app, transmitter, await readText(page))
  } catch (error) {
    if (error instanceof WrongEvent) throw new SsfError(400, error.err, error.message)
    throw error
  }
  return emptyAnswer(202)
}
