/** Reads messages from an address or a form (SAML 2.0 Bindings §3.4, §3.5). Nothing of them is trusted yet. */
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { keyOfCertificate } from '../crypto/certificate.ts'
import { parseXml, type XmlElement, xmlTextOf } from '../crypto/xml/parse.ts'
import { isSigned, isSignedQuery, readSigned } from '../crypto/xml/verify.ts'
import type { SamlConfig } from '../features/applications/index.ts'
import type { PageRequest } from '../http/page.ts'
import { BadMessage } from './bad-message.ts'

/** More than any request has, with a signature and a certificate. */
const MOST_CHARACTERS = 20_000
/** 80 by the standard (§3.4.3); some service providers send more. */
const LONGEST_RELAY_STATE = 1024
const LIMITS = { mostCharacters: MOST_CHARACTERS }

const inflate = promisify(inflateRaw)

export type MessageName = 'SAMLRequest' | 'SAMLResponse'

/** A message as it was sent. */
export interface ReceivedMessage {
  readonly name: MessageName
  readonly root: XmlElement
  readonly relayState: string | undefined
  /** The message as a service provider with these keys signed it; undefined when it is not signed. */
  verified(config: Pick<SamlConfig, 'signingCertificates'>): Promise<XmlElement | undefined>
}

function keysOf({ signingCertificates }: Pick<SamlConfig, 'signingCertificates'>): readonly KeyObject[] {
  return signingCertificates.flatMap((certificate) => keyOfCertificate(certificate) ?? [])
}

function bytesOf(text: string): Buffer {
  const compact = text.replace(/[ \r\n]/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length > 2 * MOST_CHARACTERS) {
    throw new BadMessage('The message is not base64.')
  }
  return Buffer.from(compact, 'base64')
}

async function inflated(bytes: Buffer): Promise<Buffer> {
  try {
    return await inflate(bytes, { maxOutputLength: 4 * MOST_CHARACTERS })
  } catch {
    throw new BadMessage('The message is not compressed as it must be.')
  }
}

function relayStateIn(parameters: URLSearchParams): string | undefined {
  const text = parameters.get('RelayState') ?? undefined
  if (text === undefined) return undefined
  const isStorable = text.length <= LONGEST_RELAY_STATE && text.isWellFormed() && !text.includes('\0')
  if (!isStorable) throw new BadMessage('The RelayState is too long.')
  return text
}

function rejectRepeated(parameters: URLSearchParams): void {
  for (const name of ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature']) {
    if (parameters.getAll(name).length > 1) throw new BadMessage(`The parameter ${name} is there twice.`)
  }
}

/** The parameters that are signed, as they were sent and in the order of the standard, whatever their order was. */
function signedText(rawQuery: string, name: string): string {
  const sent = new Map(rawQuery.split('&').map((part) => [part.split('=', 1)[0] ?? '', part]))
  return [name, 'RelayState', 'SigAlg'].flatMap((one) => sent.get(one) ?? []).join('&')
}

/** Those parameters encoded anew: some service providers sign them with other escapes than they send. They mean the same. */
function encodedText(query: URLSearchParams, name: string): string {
  const given = [name, 'RelayState', 'SigAlg'].filter((one) => query.has(one))
  return given.map((one) => `${one}=${encodeURIComponent(query.get(one) ?? '')}`).join('&')
}

async function fromQuery(request: PageRequest, name: MessageName): Promise<ReceivedMessage> {
  const { query, rawQuery } = request
  const root = parseXml(xmlTextOf(await inflated(bytesOf(query.get(name) ?? ''))), LIMITS)
  const algorithm = query.get('SigAlg')
  const signature = query.get('Signature')
  if ((algorithm === null) !== (signature === null)) throw new BadMessage('A part of the signature is missing.')
  return {
    name,
    root,
    relayState: relayStateIn(query),
    async verified(config) {
      // In an address, the signature is over the address (§3.4.4.1).
      if (isSigned(root)) throw new BadMessage('The signature is in the wrong place.')
      if (algorithm === null || signature === null) return undefined
      const texts = [signedText(rawQuery, name), encodedText(query, name)]
      if (texts.some((text) => isSignedQuery(text, algorithm, signature, keysOf(config)))) return root
      throw new BadMessage('The signature is not one of the service provider.')
    },
  }
}

async function fromForm(form: URLSearchParams, name: MessageName): Promise<ReceivedMessage> {
  const bytes = bytesOf(form.get(name) ?? '')
  // Some service providers compress a message in a form, too.
  const isPlain = /^\s*<|^\xef\xbb\xbf/.test(bytes.subarray(0, 10).toString('latin1'))
  const text = xmlTextOf(isPlain ? bytes : await inflated(bytes))
  const root = parseXml(text, LIMITS)
  return {
    name,
    root,
    relayState: relayStateIn(form),
    verified: async (config) => (isSigned(root) ? readSigned(text, keysOf(config), LIMITS) : undefined),
  }
}

/** Which message was sent: a request, unless there is only a response. */
function nameIn(parameters: URLSearchParams): MessageName {
  if (!parameters.has('SAMLResponse')) return 'SAMLRequest'
  if (parameters.has('SAMLRequest')) throw new BadMessage('There are two messages.')
  return 'SAMLResponse'
}

/** The message of a request to an endpoint. Throws `BadMessage` or `XmlRefused`. */
export async function receive(request: PageRequest): Promise<ReceivedMessage> {
  const parameters = request.method === 'POST' ? await request.readForm() : request.query
  rejectRepeated(parameters)
  const name = nameIn(parameters)
  return request.method === 'POST' ? fromForm(parameters, name) : fromQuery(request, name)
}
