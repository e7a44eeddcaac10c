import assert from 'node:assert/strict'
import {
  constants,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  sign as cryptoSign,
  generateKeyPairSync,
  privateDecrypt,
} from 'node:crypto'
import { describe, test } from 'node:test'
import { SignedXml } from 'xml-crypto'
import { ownSignature } from './algorithms.ts'
import { encryptedData } from './encrypt.ts'
import { childOf, parseXml, textOf, type XmlElement, XmlRefused } from './parse.ts'
import { signatureOf, signedQuery } from './sign.ts'
import { isSignedQuery, readSigned } from './verify.ts'
import { element } from './write.ts'

const LIMITS = { mostCharacters: 50_000 }
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const others = generateKeyPairSync('rsa', { modulusLength: 2048 })
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

const MESSAGE =
  '<p:Request xmlns:p="urn:p" xmlns:a="urn:a" ID="_1" To="https://idp"><a:Issuer>sp</a:Issuer><p:Name>anna</p:Name></p:Request>'

interface Signing {
  readonly algorithm?: string
  readonly digest?: string
  readonly transforms?: string[]
  readonly canonicalization?: string
  readonly privateKey?: typeof keys.privateKey
  readonly references?: readonly string[]
}

/** A message as a service provider would sign it, with another implementation than ours. */
function signed(xml: string, signing: Signing = {}): string {
  const { algorithm = ownSignature('sha256'), digest = SHA256, transforms = [ENVELOPED, EXCLUSIVE] } = signing
  const signer = new SignedXml({
    privateKey: (signing.privateKey ?? keys.privateKey).export({ type: 'pkcs8', format: 'pem' }),
    signatureAlgorithm: algorithm as never,
    canonicalizationAlgorithm: (signing.canonicalization ?? EXCLUSIVE) as never,
  })
  for (const xpath of signing.references ?? ['/*']) {
    signer.addReference({ xpath, digestAlgorithm: digest as never, transforms: transforms as never })
  }
  signer.computeSignature(xml, { location: { reference: "//*[local-name(.)='Issuer']", action: 'after' } })
  return signer.getSignedXml()
}

async function nameIn(text: string, publicKey = keys.publicKey): Promise<string> {
  const root = await readSigned(text, [publicKey], LIMITS)
  return textOf(childOf(root, 'urn:p', 'Name') as XmlElement)
}

const GOOD = signed(MESSAGE)
const SIGNATURE = /<Signature .*<\/Signature>/s.exec(GOOD)?.[0] ?? ''
const EVIL = '<p:Name>mallory</p:Name>'
const withoutSignature = GOOD.replace(SIGNATURE, '')

/** Messages that a stranger makes of a signed one, or of nothing. None of them may be read. */
const FORGED: Readonly<Record<string, string>> = {
  'text changed': GOOD.replace('anna', 'mallory'),
  'attribute changed': GOOD.replace('https://idp', 'https://evil'),
  'element added': GOOD.replace('</p:Request>', `${EVIL}</p:Request>`),
  'not signed': MESSAGE,
  'signature of another key': signed(MESSAGE, { privateKey: others.privateKey }),
  'wrapped: the signed message is a child of a new root with the signature': `<p:Request xmlns:p="urn:p" xmlns:a="urn:a" ID="_2"><a:Issuer>sp</a:Issuer>${SIGNATURE}${EVIL}<p:Old>${withoutSignature}</p:Old></p:Request>`,
  'wrapped: the whole signed message is inside a new root': `<p:Request xmlns:p="urn:p" xmlns:a="urn:a" ID="_2"><a:Issuer>sp</a:Issuer>${EVIL}${GOOD}</p:Request>`,
  'wrapped: the new root has the same ID': `<p:Request xmlns:p="urn:p" xmlns:a="urn:a" ID="_1"><a:Issuer>sp</a:Issuer>${SIGNATURE}${EVIL}${withoutSignature}</p:Request>`,
  'wrapped: the original is in an Object of the signature': `<p:Request xmlns:p="urn:p" xmlns:a="urn:a" ID="_2"><a:Issuer>sp</a:Issuer>${SIGNATURE.replace('</Signature>', `<Object>${withoutSignature}</Object></Signature>`)}${EVIL}</p:Request>`,
  'wrapped: the original is in the KeyInfo': `<p:Request xmlns:p="urn:p" xmlns:a="urn:a" ID="_2"><a:Issuer>sp</a:Issuer>${SIGNATURE.replace('</Signature>', `<KeyInfo>${withoutSignature}</KeyInfo></Signature>`)}${EVIL}</p:Request>`,
  'wrapped: the original is before the new content, with an Id in another case': `<p:Request xmlns:p="urn:p" xmlns:a="urn:a" Id="_1" ID="_2"><a:Issuer>sp</a:Issuer>${SIGNATURE}${withoutSignature}${EVIL}</p:Request>`,
  'wrapped: two signatures, the second over something else': GOOD.replace('<p:Name>', `${SIGNATURE}<p:Name>`),
  'wrapped: the signature is below another element': `<p:Request xmlns:p="urn:p" xmlns:a="urn:a" ID="_1"><a:Issuer>sp</a:Issuer><p:Extensions>${SIGNATURE}</p:Extensions>${EVIL}</p:Request>`,
  'a reference to the whole document': GOOD.replace('URI="#_1"', 'URI=""'),
  'a reference by XPointer': GOOD.replace('URI="#_1"', `URI="#xpointer(id('_1'))"`),
  'a reference to a file': GOOD.replace('URI="#_1"', 'URI="file:///etc/passwd"'),
  'two references': signed(MESSAGE.replace('<p:Name>', '<p:Name ID="_3">'), {
    references: ['/*', "//*[local-name(.)='Name']"],
  }),
  'only another element is signed': signed(MESSAGE.replace('<p:Name>', '<p:Name ID="_3">'), {
    references: ["//*[local-name(.)='Name']"],
    transforms: [EXCLUSIVE],
  }),
  'RSA with SHA-1': signed(MESSAGE, { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
  'a digest with SHA-1': signed(MESSAGE, { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }),
  'inclusive canonicalization': signed(MESSAGE, {
    canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  }),
  'canonicalization with comments': signed(MESSAGE, { transforms: [ENVELOPED, `${EXCLUSIVE}WithComments`] }),
  'a shared secret instead of a key': GOOD.replace(ownSignature('sha256'), `${MORE}hmac-sha256`),
  'an unknown algorithm': GOOD.replace(ownSignature('sha256'), 'urn:none'),
  'a transform by XSLT': GOOD.replace(
    `<Transform Algorithm="${ENVELOPED}"/>`,
    '<Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>',
  ),
  'no transforms': GOOD.replace(/<Transforms>.*<\/Transforms>/s, '<Transforms></Transforms>'),
  'an empty signature value': GOOD.replace(/<SignatureValue>[^<]*/, '<SignatureValue>'),
  'a comment in the digest': GOOD.replace('<DigestValue>', '<DigestValue><!-- x -->'),
  'two digests': GOOD.replace('<DigestValue>', '<DigestValue>AAAA</DigestValue><DigestValue>'),
  'two parts that were signed': GOOD.replace('<SignedInfo>', '<SignedInfo></SignedInfo><SignedInfo>'),
  'a comment that splits the text': GOOD.replace('anna', 'an<!-- -->na'),
  'a section of characters': GOOD.replace('anna', '<![CDATA[anna]]>'),
  'a processing instruction': GOOD.replace('anna', 'an<?x?>na'),
  'the namespace of the name is another one': GOOD.replace('<p:Name>', '<p:Name xmlns:p="urn:evil">'),
  'the namespace of the signature is another one': GOOD.replace(
    'xmlns="http://www.w3.org/2000/09/xmldsig#"',
    'xmlns="urn:none"',
  ),
  'an entity of its own': `<!DOCTYPE p:Request [<!ENTITY x "anna">]>${GOOD.replace('anna', '&x;')}`,
  'a file as an entity': `<!DOCTYPE p:Request [<!ENTITY x SYSTEM "file:///etc/passwd">]>${GOOD.replace('anna', '&x;')}`,
  'entities in entities': `<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${GOOD.replace('anna', '&b;')}`,
  'a style sheet': `<?xml-stylesheet href="https://evil"?>${GOOD}`,
  'deeper than anything': `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`,
  'too long': GOOD.replace('anna', 'a'.repeat(60_000)),
  'thousands of elements': `<a>${'<b/>'.repeat(6_000)}</a>`,
  'thousands of attributes': `<a ${Array.from({ length: 3_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
  'UTF-16': Buffer.from(`\ufeff${GOOD}`, 'utf16le').toString('latin1'),
  'another encoding': `<?xml version="1.0" encoding="utf-7"?>${GOOD}`,
  nothing: '',
  'no XML': 'anna',
  'two roots': `${GOOD}${GOOD}`,
}

describe('a signed message', () => {
  test('is read from what was signed, by RSA and by ECDSA', async () => {
    assert.equal(await nameIn(GOOD), 'anna')
    assert.equal(await nameIn(`<?xml version="1.0" encoding="UTF-8"?>\n${GOOD}`), 'anna')
    const texts = await Promise.all(
      [...[384, 512].map((bits) => `sha${bits}`)].map((hash) => signedByHand('rsa', hash)),
    )
    for (const text of texts) assert.equal(await nameIn(text), 'anna')
    assert.equal(await nameIn(signedByHand('ecdsa', 'sha256'), curve.publicKey), 'anna')
  })

  for (const [what, text] of Object.entries(FORGED)) {
    test(`is refused: ${what}`, async () => {
      await assert.rejects(nameIn(text), XmlRefused)
    })
  }

  test('that we signed is verified by another implementation, also inside of another element', async () => {
    const key = { privateKey: keys.privateKey, certificate: 'AAAA' }
    const made = (id: string, name: string, ...signature: { readonly xml: string }[]) =>
      element('p:Request', { 'xmlns:p': 'urn:p', ID: id }, [
        element('a:Issuer', { 'xmlns:a': 'urn:a' }, 'sp'),
        ...signature,
        element('p:Name', { Z: '1', A: 'a"&<\n' }, name),
      ])
    const text = made('_9', 'Ä & <b>\r', signatureOf(made('_9', 'Ä & <b>\r'), '_9', key)).xml
    assert.equal(await nameIn(text), 'Ä & <b>\r')
    const around = `<q:Outer xmlns:q="urn:q" xmlns="urn:none">${text}</q:Outer>`
    const checker = new SignedXml({ publicCert: createPublicKey(keys.privateKey) })
    checker.loadSignature(/<ds:Signature .*<\/ds:Signature>/s.exec(around)?.[0] ?? '')
    assert.equal(checker.checkSignature(around), true)
  })
})

/** For algorithms that `xml-crypto` does not have: by our own writer, with the name of the algorithm changed. */
function signedByHand(type: 'rsa' | 'ecdsa', hash: string): string {
  const signer = new SignedXml({
    privateKey: 'unused',
    canonicalizationAlgorithm: EXCLUSIVE,
    signatureAlgorithm: `${MORE}${type}-${hash}` as never,
  })
  const key = type === 'rsa' ? keys.privateKey : curve.privateKey
  signer.SignatureAlgorithms = {
    [`${MORE}${type}-${hash}`]: class {
      getAlgorithmName = () => `${MORE}${type}-${hash}`
      getSignature = (text: string) => signWith(hash, text, key)
      verifySignature = () => false
    },
  } as never
  signer.addReference({ xpath: '/*', digestAlgorithm: SHA256, transforms: [ENVELOPED, EXCLUSIVE] })
  signer.computeSignature(MESSAGE, { location: { reference: "//*[local-name(.)='Issuer']", action: 'after' } })
  return signer.getSignedXml()
}

function signWith(hash: string, text: string, key: typeof keys.privateKey): string {
  return cryptoSign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64')
}

describe('a signed query', () => {
  const query = signedQuery(
    [
      ['SAMLRequest', 'a+b/c='],
      ['RelayState', 'ä b'],
    ],
    { privateKey: keys.privateKey },
  )
  const [text = '', signature = ''] = query.split('&Signature=')
  const value = decodeURIComponent(signature)

  test('is verified as it was sent', () => {
    assert.equal(isSignedQuery(text, ownSignature('sha256'), value, [others.publicKey, keys.publicKey]), true)
  })

  test('is sent by browsers as it was signed', () => {
    const all = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('')
    const own = signedQuery([['RelayState', all]], { privateKey: keys.privateKey })
    assert.equal(new URL(`https://sp.example/slo?${own}`).search, `?${own}`)
  })

  test('is refused when it was changed, or signed by another key or algorithm', () => {
    assert.equal(isSignedQuery(text.replace('a%2Bb', 'a%2Bx'), ownSignature('sha256'), value, [keys.publicKey]), false)
    assert.equal(isSignedQuery(text, ownSignature('sha256'), value, [others.publicKey]), false)
    assert.equal(isSignedQuery(text, 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', value, [keys.publicKey]), false)
    assert.equal(isSignedQuery(text, ownSignature('sha256'), value, []), false)
  })
})

test('an encrypted element is read with the private key only', () => {
  const { xml } = encryptedData(element('a', {}, 'secret'), keys.publicKey)
  const [wrapped = '', text = ''] = [...xml.matchAll(/<xenc:CipherValue>([^<]*)/g)].map(([, value]) => value ?? '')
  const secret = privateDecrypt(
    {
      key: createPrivateKey(keys.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: 'sha1',
    },
    Buffer.from(wrapped, 'base64'),
  )
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  assert.equal(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString(), '<a>secret</a>')
})

test('entities of XML and numbers are read; comments are dropped only where that is allowed', () => {
  assert.equal(textOf(parseXml('<a> &lt;&amp;&#65;&#x42;\r\n</a>', LIMITS)), '<&AB')
  assert.equal(parseXml('<a>x<!-- - -->y</a>', { ...LIMITS, allowsComments: true }).text, 'xy')
  for (const text of ['<a>&x;</a>', '<a>&#0;</a>', '<a>&#xD800;</a>', '<a>&amp</a>', '<a>\0</a>', '<a x="1" x="2"/>']) {
    assert.throws(() => parseXml(text, LIMITS), XmlRefused, text)
  }
  for (const text of [
    '<a:b/>',
    '<a xmlns:p="u" xmlns:q="u" p:x="" q:x=""/>',
    '<a></b>',
    '<a',
    '<a b/>',
    '<a xmlns:xml="u"/>',
  ]) {
    assert.throws(() => parseXml(text, LIMITS), XmlRefused, text)
  }
})
