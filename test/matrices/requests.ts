/** The least valid request of every method, about the things of the world of the matrix. */
import { generateKeyPairSync } from 'node:crypto'
import { type DescMethodUnary, fromJson, type JsonObject, type Message } from '@bufbuild/protobuf'
import { exampleRequest } from '../../src/http/openapi/example-requests.ts'
import { FRESH, newObject } from '../contract/limit-values.ts'
import type { CallerWorld, MatrixCaller } from './world.ts'

export { isAboutMachines } from '../../src/http/openapi/example-things.ts'

const APPLE_KEY = Buffer.from(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
).toString('base64')

/** Where nobody listens. */
const NOWHERE = { mailHost: '127.0.0.1:1', webhook: 'http://127.0.0.1:1/', issuer: 'https://127.0.0.1:1' }

/** What requests contain that belongs to nobody. */
export const NOTHING_ELSE = { ...NOWHERE, appleKey: APPLE_KEY, credential: newObject(60) }

/** The request of a caller; throws when it names a thing of which the world has none. */
export function requestOf(method: DescMethodUnary, world: CallerWorld, caller: MatrixCaller): JsonObject {
  const { human, machine } = caller
  const { ids, intent } = world
  return exampleRequest(method, { ...ids, ...NOTHING_ELSE, intentToken: intent.token, human, machine }, FRESH)
}

/** The message, with the names that the contract gives its fields: `fromJson` knows no others. */
export function messageOf({ input }: DescMethodUnary, request: JsonObject): Message {
  const named = JSON.stringify(request)
    .replaceAll('"givenName"', '"firstName"')
    .replaceAll('"familyName"', '"lastName"')
  return fromJson(input, JSON.parse(named) as JsonObject)
}
