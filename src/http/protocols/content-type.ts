/** Selects the protocol by content type. */

/** The encoding of messages. */
export type Codec = 'proto' | 'json'

/** The meaning of a content type on a procedure path. */
export interface ProtocolChoice {
  readonly protocol: 'grpc' | 'grpc-web' | 'grpc-web-text' | 'connect'
  readonly codec: Codec
}

function choice(protocol: ProtocolChoice['protocol'], codec: Codec): ProtocolChoice {
  return Object.freeze({ protocol, codec })
}

const CHOICES: ReadonlyMap<string, ProtocolChoice> = new Map([
  ['application/grpc', choice('grpc', 'proto')],
  ['application/grpc+proto', choice('grpc', 'proto')],
  ['application/grpc+json', choice('grpc', 'json')],
  ['application/grpc-web', choice('grpc-web', 'proto')],
  ['application/grpc-web+proto', choice('grpc-web', 'proto')],
  ['application/grpc-web+json', choice('grpc-web', 'json')],
  ['application/grpc-web-text', choice('grpc-web-text', 'proto')],
  ['application/grpc-web-text+proto', choice('grpc-web-text', 'proto')],
  ['application/proto', choice('connect', 'proto')],
  ['application/json', choice('connect', 'json')],
])

/** The `Accept-Post` list in responses that refuse a content type. */
export const SERVED_TYPES = [
  'application/json',
  'application/proto',
  'application/grpc',
  'application/grpc+proto',
  'application/grpc-web',
  'application/grpc-web+proto',
  'application/grpc-web-text',
  'application/grpc-web-text+proto',
].join(', ')

/** The media type without parameters, in lower case. */
export function mediaType(contentType: string | undefined): string {
  if (contentType === undefined) return ''
  const semicolon = contentType.indexOf(';')
  return (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase()
}

/** Whether JSON in this content type is in an encoding other than UTF-8, which JSON must not be (RFC 8259 §8.1). */
export function hasForeignCharset(contentType: string | undefined): boolean {
  if (contentType === undefined || !contentType.includes(';')) return false
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]
  return charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)
}

/** The protocol of a content type; undefined when it is not supported. */
export function protocolOf(contentType: string | undefined): ProtocolChoice | undefined {
  return contentType === undefined ? undefined : (CHOICES.get(contentType) ?? CHOICES.get(mediaType(contentType)))
}
