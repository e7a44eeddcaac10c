/** Which protocol a content type asks for. */

/** How messages are written. */
export type Codec = 'proto' | 'json'

/** What a content type means on the path of a procedure. */
export interface Spoken {
  readonly protocol: 'grpc' | 'grpc-web' | 'grpc-web-text' | 'connect'
  readonly codec: Codec
}

function spoken(protocol: Spoken['protocol'], codec: Codec): Spoken {
  return Object.freeze({ protocol, codec })
}

const SPOKEN: ReadonlyMap<string, Spoken> = new Map([
  ['application/grpc', spoken('grpc', 'proto')],
  ['application/grpc+proto', spoken('grpc', 'proto')],
  ['application/grpc+json', spoken('grpc', 'json')],
  ['application/grpc-web', spoken('grpc-web', 'proto')],
  ['application/grpc-web+proto', spoken('grpc-web', 'proto')],
  ['application/grpc-web+json', spoken('grpc-web', 'json')],
  ['application/grpc-web-text', spoken('grpc-web-text', 'proto')],
  ['application/grpc-web-text+proto', spoken('grpc-web-text', 'proto')],
  ['application/proto', spoken('connect', 'proto')],
  ['application/json', spoken('connect', 'json')],
])

/** The list for `Accept-Post` where a content type is refused. */
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

/** What a content type asks for, or undefined when nobody speaks it. */
export function spokenIn(contentType: string | undefined): Spoken | undefined {
  return contentType === undefined ? undefined : (SPOKEN.get(contentType) ?? SPOKEN.get(mediaType(contentType)))
}
