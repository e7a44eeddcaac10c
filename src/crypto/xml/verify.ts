/**
 * Verifies signatures of strangers. What is returned is read from the very bytes that were signed: whatever else a message
 * contains, nothing of it is read. Canonicalization is that of `xml-crypto`, which is loaded when it is first needed.
 */
import { createHash, type KeyObject } from 'node:crypto'
import { DIGESTS, DSIG, ENVELOPED, EXCLUSIVE, SIGNATURE_NAMES, verifyBytes } from './algorithms.ts'
import { childOf, childrenOf, parseXml, textOf, type XmlElement, type XmlLimits, XmlRefused } from './parse.ts'

/** The signature has an algorithm that does not count, such as one with SHA-1. */
export class XmlAlgorithmRefused extends XmlRefused {}

function signatureIn(root: XmlElement): XmlElement | undefined {
  return childOf(root, DSIG, 'Signature')
}

function countOf(root: XmlElement, matches: (element: XmlElement) => boolean): number {
  return root.children.reduce((sum, child) => sum + countOf(child, matches), matches(root) ? 1 : 0)
}

function isSignature({ name, namespace }: XmlElement): boolean {
  return name === 'Signature' && namespace === DSIG
}

/** Whether an element has a signature of its own. Throws when the message has signatures in other places than these. */
function signedAmong(root: XmlElement, places: readonly XmlElement[]): (place: XmlElement) => boolean {
  const signed = places.filter((place) => signatureIn(place) !== undefined)
  if (countOf(root, isSignature) > signed.length) {
    throw new XmlRefused('a signature is in a place where none belongs')
  }
  return (place) => signed.includes(place)
}

/** Whether a message has a signature of its own. Throws for one in another place, which could only mislead. */
export function isSigned(root: XmlElement): boolean {
  return signedAmong(root, [root])(root)
}

function only(parent: XmlElement, name: string): XmlElement {
  const child = childOf(parent, DSIG, name)
  if (child === undefined) throw new XmlRefused('a part of the signature is missing')
  return child
}

function require(condition: boolean, what: string): void {
  if (!condition) throw new XmlRefused(what)
}

function attribute(parent: XmlElement, name: string): string {
  return parent.attributes.get(name) ?? ''
}

function requireAlgorithm(known: readonly string[], method: XmlElement): void {
  if (!known.includes(attribute(method, 'Algorithm'))) throw new XmlAlgorithmRefused('an algorithm is not allowed')
}

/** One reference, to the signed element, with no other transforms than those two, and algorithms that count. */
function checkShape(root: XmlElement, signed: XmlElement): void {
  const id = attribute(signed, 'ID')
  require(/^[A-Za-z_][\w.-]{0,255}$/.test(id), 'the signed element has no usable ID')
  const isOwner = ({ attributes }: XmlElement) =>
    [...attributes].some(([name, value]) => value === id && /^(?:\{.*\})?id$/i.test(name))
  require(countOf(root, isOwner) === 1, 'an ID is there twice')
  const signature = only(signed, 'Signature')
  const names = signature.children.map(({ name }) => name).join(' ')
  require(/^SignedInfo SignatureValue(?: KeyInfo)?$/.test(names), 'the signature has parts that do not belong there')
  const info = only(signature, 'SignedInfo')
  require(info.children.length === 3, 'the signature has another number of references than one')
  require(attribute(only(info, 'CanonicalizationMethod'), 'Algorithm') ===
    EXCLUSIVE, 'the canonicalization is not allowed')
  requireAlgorithm(SIGNATURE_NAMES, only(info, 'SignatureMethod'))
  const reference = only(info, 'Reference')
  require(attribute(reference, 'URI') === `#${id}`, 'the signature is about another element')
  requireAlgorithm([...DIGESTS.keys()], only(reference, 'DigestMethod'))
  textOf(only(reference, 'DigestValue'))
  textOf(only(signature, 'SignatureValue'))
  const transforms = childrenOf(only(reference, 'Transforms'), DSIG, 'Transform').map((one) =>
    attribute(one, 'Algorithm'),
  )
  require(transforms.length === 2 &&
    transforms[0] === ENVELOPED &&
    transforms[1] === EXCLUSIVE, 'a transform is not allowed')
}

/** The algorithms of `xml-crypto`, with ours in their place: nothing else can be asked for. */
function algorithmsFor(key: KeyObject) {
  const signatures = SIGNATURE_NAMES.map((name) => {
    class Algorithm {
      getAlgorithmName = () => name
      getSignature = (): never => {
        throw new XmlRefused('strangers sign, we verify')
      }
      verifySignature = (text: string, _key: unknown, value: string) =>
        verifyBytes(name, key, Buffer.from(text), Buffer.from(value, 'base64'))
    }
    return [name, Algorithm] as const
  })
  const digests = [...DIGESTS].map(([name, hash]) => {
    class Digest {
      getAlgorithmName = () => name
      getHash = (text: string) => createHash(hash).update(text, 'utf8').digest('base64')
    }
    return [name, Digest] as const
  })
  return { signatures: Object.fromEntries(signatures), digests: Object.fromEntries(digests) }
}

/** The name of an element. */
export type XmlName = Pick<XmlElement, 'namespace' | 'name'>

function elementsIn(parent: Node | null, { namespace, name }: XmlName): readonly Element[] {
  const elements = Array.from(parent?.childNodes ?? []).filter((node): node is Element => node.nodeType === 1)
  return elements.filter(({ namespaceURI, localName }) => localName === name && (namespaceURI ?? '') === namespace)
}

const SIGNATURE: XmlName = { namespace: DSIG, name: 'Signature' }

async function documentOf(text: string): Promise<Element> {
  const { DOMParser } = await import('@xmldom/xmldom')
  const fail = () => {
    throw new XmlRefused('the XML cannot be read')
  }
  const parser = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } })
  const { documentElement } = parser.parseFromString(text, 'text/xml')
  return (documentElement as unknown as Element | null) ?? fail()
}

/** What a key signed of a text: its root, or the child of the root that has this name. */
async function bytesSignedBy(text: string, key: KeyObject, part: XmlName | undefined): Promise<string | undefined> {
  const [{ SignedXml }, root] = await Promise.all([import('xml-crypto'), documentOf(text)])
  const [holder = null] = part === undefined ? [root] : elementsIn(root, part)
  const [signature] = elementsIn(holder, SIGNATURE)
  if (signature === undefined) return undefined
  const { signatures, digests } = algorithmsFor(key)
  const checker = new SignedXml({ publicCert: key, getCertFromKeyInfo: () => null })
  const { CanonicalizationAlgorithms: known } = checker
  checker.SignatureAlgorithms = signatures
  checker.HashAlgorithms = digests
  checker.CanonicalizationAlgorithms = {
    [EXCLUSIVE]: known[EXCLUSIVE],
    [ENVELOPED]: known[ENVELOPED],
  } as typeof known
  checker.loadSignature(signature)
  try {
    if (checker.checkSignature(text) !== true) return undefined
  } catch {
    // A signature of another key is an error of the library, too.
    return undefined
  }
  const [signed, ...others] = checker.getSignedReferences()
  return others.length === 0 ? signed : undefined
}

/** An element that was signed, with the text that it was read from. */
export interface SignedElement {
  readonly element: XmlElement
  readonly xml: string
}

async function readVerified(
  text: string,
  { root, signed }: { readonly root: XmlElement; readonly signed: XmlElement },
  keys: readonly KeyObject[],
  { mostCharacters }: XmlLimits,
): Promise<SignedElement> {
  checkShape(root, signed)
  for (const key of keys) {
    const xml = await bytesSignedBy(text, key, signed === root ? undefined : signed)
    if (xml === undefined) continue
    const element = parseXml(xml, { mostCharacters: 2 * mostCharacters })
    const isSame = (['name', 'namespace'] as const).every((member) => element[member] === signed[member])
    require(isSame && attribute(element, 'ID') === attribute(signed, 'ID'), 'another element is signed')
    require(signatureIn(element) === undefined, 'the signature is part of what it signs')
    return { element, xml }
  }
  throw new XmlRefused('the signature is not of a key that is known')
}

/**
 * The element that one of these keys signed, read from what was signed. Throws `XmlRefused` when none did, or when the
 * message has any form but the one that is safe.
 */
export async function readSigned(text: string, keys: readonly KeyObject[], limits: XmlLimits): Promise<XmlElement> {
  const root = parseXml(text, { mostCharacters: limits.mostCharacters })
  require(isSigned(root), 'the message is not signed')
  return (await readVerified(text, { root, signed: root }, keys, limits)).element
}

/** The only child of this name, as a document of its own: with all declarations that it needs, and nothing else. */
async function standalone(text: string, part: XmlName, limits: XmlLimits): Promise<SignedElement> {
  const [{ SignedXml }, root] = await Promise.all([import('xml-crypto'), documentOf(text)])
  const [found] = elementsIn(root, part)
  if (found === undefined) throw new XmlRefused('an element is missing')
  const xml = new SignedXml().getCanonXml([EXCLUSIVE], found).toString()
  return { xml, element: parseXml(xml, { mostCharacters: 2 * limits.mostCharacters }) }
}

/**
 * The only child of this name of a message, where one of these keys signed the message or the child. What is returned is read
 * from what was signed; of a message that is not signed itself, the rest was not verified. Throws `XmlRefused`.
 */
export async function readSignedPart(
  text: string,
  part: XmlName,
  keys: readonly KeyObject[],
  limits: XmlLimits,
): Promise<SignedElement> {
  const root = parseXml(text, { mostCharacters: limits.mostCharacters })
  const child = childOf(root, part.namespace, part.name)
  const isPart = ({ name, namespace }: XmlElement) => name === part.name && namespace === part.namespace
  // Another one anywhere could only be there to be taken for it.
  if (child === undefined || countOf(root, isPart) !== 1)
    throw new XmlRefused('there is not exactly one element of a kind')
  const isSignedAt = signedAmong(root, [root, child])
  if (!isSignedAt(root)) {
    require(isSignedAt(child), 'the message is not signed')
    return readVerified(text, { root, signed: child }, keys, limits)
  }
  const { xml } = await readVerified(text, { root, signed: root }, keys, limits)
  return standalone(xml, part, limits)
}

/** Whether one of these keys signed a query as it was sent: the text before `&Signature=`. */
export function isSignedQuery(text: string, algorithm: string, signature: string, keys: readonly KeyObject[]): boolean {
  const bytes = Buffer.from(signature, 'base64')
  return keys.some((key) => verifyBytes(algorithm, key, Buffer.from(text), bytes))
}
