/**
 * Verifies signatures of strangers. What is returned is read from the very bytes that were signed: whatever else a message
 * contains, nothing of it is read. Canonicalization is that of `xml-crypto`, which is loaded when it is first needed.
 */
import { createHash, type KeyObject } from 'node:crypto'
import { DIGESTS, DSIG, ENVELOPED, EXCLUSIVE, SIGNATURE_NAMES, verifyBytes } from './algorithms.ts'
import { childOf, childrenOf, parseXml, textOf, type XmlElement, type XmlLimits, XmlRefused } from './parse.ts'

function signatureIn(root: XmlElement): XmlElement | undefined {
  return childOf(root, DSIG, 'Signature')
}

function countOf(root: XmlElement, matches: (element: XmlElement) => boolean): number {
  return root.children.reduce((sum, child) => sum + countOf(child, matches), matches(root) ? 1 : 0)
}

/** Whether a message has a signature of its own. Throws for one in another place, which could only mislead. */
export function isSigned(root: XmlElement): boolean {
  const found = signatureIn(root) !== undefined
  const all = countOf(root, ({ name, namespace }) => name === 'Signature' && namespace === DSIG)
  if (all > (found ? 1 : 0)) throw new XmlRefused('a signature is in a place where none belongs')
  return found
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

/** One reference, to the root, with no other transforms than those two, and algorithms that count. */
function checkShape(root: XmlElement): void {
  const id = attribute(root, 'ID')
  require(/^[A-Za-z_][\w.-]{0,255}$/.test(id), 'the signed element has no usable ID')
  const isOwner = ({ attributes }: XmlElement) =>
    [...attributes].some(([name, value]) => value === id && /^(?:\{.*\})?id$/i.test(name))
  require(countOf(root, isOwner) === 1, 'an ID is there twice')
  const signature = only(root, 'Signature')
  const names = signature.children.map(({ name }) => name).join(' ')
  require(/^SignedInfo SignatureValue(?: KeyInfo)?$/.test(names), 'the signature has parts that do not belong there')
  const info = only(signature, 'SignedInfo')
  require(info.children.length === 3, 'the signature has another number of references than one')
  require(attribute(only(info, 'CanonicalizationMethod'), 'Algorithm') ===
    EXCLUSIVE, 'the canonicalization is not allowed')
  require(SIGNATURE_NAMES.includes(
    attribute(only(info, 'SignatureMethod'), 'Algorithm'),
  ), 'the algorithm is not allowed')
  const reference = only(info, 'Reference')
  require(attribute(reference, 'URI') === `#${id}`, 'the signature is about another element')
  require(DIGESTS.has(attribute(only(reference, 'DigestMethod'), 'Algorithm')), 'the digest is not allowed')
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

async function bytesSignedBy(text: string, key: KeyObject): Promise<string | undefined> {
  const [{ SignedXml }, { DOMParser }] = await Promise.all([import('xml-crypto'), import('@xmldom/xmldom')])
  const fail = () => {
    throw new XmlRefused('the XML cannot be read')
  }
  const document = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } }).parseFromString(
    text,
    'text/xml',
  )
  const signature = Array.from(document.documentElement?.childNodes ?? []).find(
    (node) => node.nodeName.replace(/^.*:/, '') === 'Signature' && (node as Element).namespaceURI === DSIG,
  )
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
  checker.loadSignature(signature as unknown as Node)
  try {
    if (checker.checkSignature(text) !== true) return undefined
  } catch {
    // A signature of another key is an error of the library, too.
    return undefined
  }
  const [signed, ...others] = checker.getSignedReferences()
  return others.length === 0 ? signed : undefined
}

/**
 * The element that one of these keys signed, read from what was signed. Throws `XmlRefused` when none did, or when the
 * message has any form but the one that is safe.
 */
export async function readSigned(text: string, keys: readonly KeyObject[], limits: XmlLimits): Promise<XmlElement> {
  const strict = { mostCharacters: limits.mostCharacters }
  const root = parseXml(text, strict)
  require(isSigned(root), 'the message is not signed')
  checkShape(root)
  for (const key of keys) {
    const signed = await bytesSignedBy(text, key)
    if (signed === undefined) continue
    const verified = parseXml(signed, { mostCharacters: 2 * limits.mostCharacters })
    const isRoot = (['name', 'namespace'] as const).every((member) => verified[member] === root[member])
    require(isRoot && attribute(verified, 'ID') === attribute(root, 'ID'), 'another element is signed')
    require(signatureIn(verified) === undefined, 'the signature is part of what it signs')
    return verified
  }
  throw new XmlRefused('the signature is not of a key that is known')
}

/** Whether one of these keys signed a query as it was sent: the text before `&Signature=`. */
export function isSignedQuery(text: string, algorithm: string, signature: string, keys: readonly KeyObject[]): boolean {
  const bytes = Buffer.from(signature, 'base64')
  return keys.some((key) => verifyBytes(algorithm, key, Buffer.from(text), bytes))
}
