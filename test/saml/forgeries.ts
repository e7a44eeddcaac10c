/** What strangers make of a message that a service provider signed, or of nothing. Nothing of it may be followed. */
import { encoded, type MessageParts, messageOf, signedXml } from '../support/saml-messages.ts'
import { ENVELOPED, EXCLUSIVE, type Signing } from '../support/saml-signer.ts'

type Name = NonNullable<MessageParts['name']>

/** A message that would be followed, and what somebody else wants instead. */
export interface Target {
  readonly good: MessageParts & { readonly name: Name; readonly id: string }
  /** The same with what the attacker wants, without a signature that counts. */
  readonly evil: Omit<MessageParts, 'id' | 'name'>
}

const ATTRIBUTE = ' xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"'

interface Parts {
  /** The signed message, and the two that it consists of. */
  readonly whole: string
  readonly signature: string
  readonly original: string
  /** The message of the attacker with something after its issuer. */
  evil(inside: string, id?: string): string
}

function partsOf({ good, evil }: Target): Parts {
  const whole = signedXml(messageOf(good))
  const signature = /<Signature .*<\/Signature>/s.exec(whole)?.[0] ?? ''
  const { inside: wanted = '' } = evil
  return {
    whole,
    signature,
    original: whole.replace(signature, ''),
    evil: (inside, id = '_evil') => messageOf({ ...evil, name: good.name, id, inside: `${inside}${wanted}` }),
  }
}

function inSignature(signature: string, content: string): string {
  return signature.replace('</Signature>', `${content}</Signature>`)
}

/** The eight ways to wrap a signed message (XSW 1 to 8), for messages whose root is signed. */
export function wrapped(target: Target): Readonly<Record<string, string>> {
  const { whole, signature, original, evil } = partsOf(target)
  const envelope = (...content: string[]) =>
    `<samlp:${target.good.name}${ATTRIBUTE}>${content.join('')}</samlp:${target.good.name}>`
  return {
    'XSW 1: the original inside of the signature of another': evil(inSignature(signature, original)),
    'XSW 2: the original beside the signature in another': evil(`${original}${signature}`),
    'XSW 3: another one in front, in the original': whole.replace('<saml:Issuer>', `${evil('')}<saml:Issuer>`),
    'XSW 4: the signed original inside of another': evil(whole),
    'XSW 5: another with the signature, and the original after it': envelope(evil(signature), original),
    'XSW 6: another with the signature, which contains the original': envelope(evil(inSignature(signature, original))),
    'XSW 7: the original in extensions of another with its ID': evil(
      `${signature}<samlp:Extensions>${original}</samlp:Extensions>`,
      target.good.id,
    ),
    'XSW 8: the original in an object of the signature': evil(
      inSignature(signature, `<Object>${original}</Object>`),
      target.good.id,
    ),
  }
}

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'

/** Tricks with XML, entities, signatures and algorithms. */
export function altered(target: Target, foreign: { readonly key: string; readonly certificate: string }) {
  const { good } = target
  const { whole, signature, evil } = partsOf(target)
  const { issuer, id } = good
  const xml = messageOf(good)
  const signed = (parts: Partial<Signing>) => signedXml(xml, parts)
  const root = `samlp:${good.name}`
  const rows: Readonly<Record<string, string>> = {
    'not signed': xml,
    'the signature taken away': whole.replace(signature, ''),
    'an empty signature': whole.replace(signature, `<Signature xmlns="${DSIG}"/>`),
    'an empty value': whole.replace(/<SignatureValue>[^<]*/, '<SignatureValue>'),
    'the signature of another key': signed({ privateKey: foreign.key }),
    'the signature of another key, with its certificate': signed({ privateKey: foreign.key }).replace(
      '</SignatureValue>',
      `</SignatureValue><KeyInfo><X509Data><X509Certificate>${foreign.certificate}</X509Certificate></X509Data></KeyInfo>`,
    ),
    'the signature of another message': evil(signature),
    'something changed after signing': whole.replace(issuer, `${issuer}.evil`),
    'another ID': whole.replace(`ID="${id}"`, 'ID="_other"'),
    'two signatures': whole.replace(signature, `${signature}${signature}`),
    'RSA with SHA-1': signed({ algorithm: `${DSIG}rsa-sha1` }),
    'a digest with SHA-1': signed({ digest: `${DSIG}sha1` }),
    'a shared secret': whole.replace('rsa-sha256', 'hmac-sha256'),
    'an algorithm that does not exist': whole.replace(/(SignatureMethod Algorithm=")[^"]*/, '$1urn:none'),
    'inclusive canonicalization': signed({ canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' }),
    'canonicalization with comments': signed({ transforms: [ENVELOPED, `${EXCLUSIVE}WithComments`] }),
    'a transform by XSLT': whole.replace(ENVELOPED, 'http://www.w3.org/TR/1999/REC-xslt-19991116'),
    'a reference to nothing': whole.replace(`URI="#${id}"`, 'URI=""'),
    'a reference to a file': whole.replace(`URI="#${id}"`, 'URI="file:///etc/passwd"'),
    'only the issuer is signed': signedXml(xml.replace('<saml:Issuer>', '<saml:Issuer ID="_issuer">'), {
      xpath: "//*[local-name(.)='Issuer']",
      transforms: [EXCLUSIVE],
    }),
    'two parts that were signed': whole.replace('<SignedInfo>', '<SignedInfo></SignedInfo><SignedInfo>'),
    'a comment in the digest': whole.replace('<DigestValue>', '<DigestValue><!-- x -->'),
    'a comment in the issuer': whole.replace(issuer, `${issuer.slice(0, 9)}<!-- -->${issuer.slice(9)}`),
    'a comment that hides the end of the issuer': signedXml(messageOf({ ...good, issuer: `${issuer}<!-- -->.evil` })),
    'a section of characters': whole.replace(issuer, `<![CDATA[${issuer}]]>`),
    'a processing instruction': whole.replace(issuer, `<?x?>${issuer}`),
    'two issuers': signedXml(xml.replace('<saml:Issuer>', `<saml:Issuer>${issuer}</saml:Issuer><saml:Issuer>`)),
    'an issuer of another namespace': signedXml(xml.replaceAll('saml:Issuer>', 'samlp:Issuer>')),
    'a root of another namespace': signedXml(xml.replace(':SAML:2.0:protocol"', ':SAML:2.0:protoco1"')),
    'a signature of another namespace': whole.replace(`xmlns="${DSIG}"`, 'xmlns="urn:none"'),
    'an ID in a namespace as well': whole.replace(`ID="${id}"`, `ID="${id}" samlp:ID="${id}"`),
    'an ID by another case': whole.replace(`ID="${id}"`, `ID="_evil" Id="${id}"`),
    'a prefix that is declared anew': whole.replace('<saml:Issuer>', '<saml:Issuer xmlns:saml="urn:evil">'),
    'a prefix that is not declared': whole.replace('<saml:Issuer>', '<evil:Extra/><saml:Issuer>'),
    'an entity that is a file': `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${whole.replace(issuer, '&f;')}`,
    'an entity of its own': `<!DOCTYPE x [<!ENTITY i "${issuer}">]>${whole.replace(issuer, '&i;')}`,
    'a document type from elsewhere': `<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">${whole}`,
    'a parameter entity': `<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x">%p;]>${whole}`,
    'entities in entities': `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, at) => `<!ENTITY a${at} "${`&a${at - 1 < 0 ? '' : at - 1};`.repeat(10)}">`).join('')}]>${whole.replace(issuer, '&a8;')}`,
    'a very long entity, many times': `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(5000)}">]>${whole.replace(issuer, '&a;'.repeat(1000))}`,
    'more depth than anything has': whole.replace(`</${root}>`, `${'<a>'.repeat(500)}${'</a>'.repeat(500)}</${root}>`),
    'more elements than anything has': whole.replace(`</${root}>`, `${'<a/>'.repeat(1500)}</${root}>`),
    'more attributes than anything has': whole.replace(
      `<${root}`,
      `<${root} ${Array.from({ length: 200 }, (_, at) => `a${at}=""`).join(' ')}`,
    ),
    'another encoding': `<?xml version="1.0" encoding="UTF-16"?>${whole}`,
    'a NUL': whole.replace(issuer, `${issuer}\0`),
    'two messages': `${whole}${whole}`,
    'half a message': whole.slice(0, -20),
    'another destination': signedXml(messageOf({ ...good, destination: 'https://other.example/saml/v2/SSO' })),
    'an unknown issuer': signedXml(messageOf({ ...good, issuer: 'https://unknown.example' })),
    'no issuer': signedXml(messageOf({ ...good, issuer: '' })),
    'too old': signedXml(messageOf({ ...good, at: Date.now() - 3_600_000 })),
    'from the future': signedXml(messageOf({ ...good, at: Date.now() + 3_600_000 })),
    'a time that is none': signedXml(xml.replace(/IssueInstant="[^"]*"/, 'IssueInstant="now"')),
    'a time without a zone': signedXml(xml.replace(/(IssueInstant="[^"]*)Z"/, '$1"')),
    'another version': signedXml(messageOf({ ...good, version: '1.1' })),
    'no version': signedXml(xml.replace('Version="2.0"', '')),
  }
  return rows
}

/** Bytes that are no message: name of the trick → value of the parameter. */
export function unreadable(good: string): Readonly<Record<string, string>> {
  return {
    nothing: '',
    'no base64': '%%%',
    'no XML': encoded('hello'),
    'no UTF-8': Buffer.from([0x3c, 0xff, 0xfe]).toString('base64'),
    'UTF-16': Buffer.from(`\ufeff${good}`, 'utf16le').toString('base64'),
  }
}
