/** The examples of the OpenAPI document: the least request of each method, about things that are made up. */
import type { DescMethod, JsonObject, JsonValue } from '@bufbuild/protobuf'
import { type ExampleThings, THINGS } from './example-names.ts'
import { type ExampleValues, exampleRequest } from './example-requests.ts'

/** An ID as the server makes them. */
function exampleId(index: number): string {
  return `3000000000000${String(index).padStart(5, '0')}`
}

/** The ID of whatever a path names. */
export const EXAMPLE_ID = exampleId(0)

const THINGS_BY_NAME = {
  ...Object.fromEntries(THINGS.map((name, index) => [name, exampleId(index)])),
  domain: 'example.com',
  userCode: 'BCDF-GHJK',
  intentToken: 'the-token-of-the-intent',
  appleKey: Buffer.from('-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n').toString('base64'),
  mailHost: 'mail.example.com:587',
  webhook: 'https://sms.example.com/send',
  issuer: 'https://login.example.com',
  credential: { id: 'AQIDBAUGBwg', type: 'public-key', response: { clientDataJSON: '…', attestationObject: '…' } },
} as unknown as ExampleThings

const TEXTS: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  senderAddress: 'no-reply@example.com',
  replyToAddress: 'help@example.com',
  givenName: 'Ada',
  firstName: 'Ada',
  familyName: 'Lovelace',
  lastName: 'Lovelace',
  username: 'ada',
  userName: 'ada',
  displayName: 'Ada Lovelace',
  phone: '+41446681801',
  password: 'Correct horse 7 battery',
  newPassword: 'Correct horse 7 battery',
  hash: '$2y$12$hXUrnqdq1RIIYZ2HPytIIe5lXdIvbhqrTvdPsSF7o.jFh817Z6lwm',
  code: 'ABC123',
  verificationCode: 'ABC123',
  host: 'mail.example.com:587',
  issuer: 'https://login.example.com',
  preferredLanguage: 'en',
  roleKey: 'reader',
  clientId: 'signet',
}

const VALUES: ExampleValues = {
  text: (field) => TEXTS[field] ?? 'example',
  object: () => THINGS_BY_NAME.credential,
  idOf: () => EXAMPLE_ID,
}

/** Lists show how many results to ask for. */
function pageOf({ input }: DescMethod): JsonObject {
  const field = input.fields.find(({ jsonName }) => jsonName === 'query' || jsonName === 'pagination')
  const isPage = field?.message?.fields.some(({ jsonName }) => jsonName === 'limit') === true
  return field !== undefined && isPage ? { [field.jsonName]: { limit: 10, asc: true } } : {}
}

/** The request of a method. */
export function exampleOf(method: DescMethod): Readonly<Record<string, JsonValue>> {
  return { ...pageOf(method), ...exampleRequest(method, THINGS_BY_NAME, VALUES) }
}
