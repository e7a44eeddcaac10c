/** Machines and applications that prove who they are with a key, and DPoP proofs (RFC 9449). */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import type { Application, OpenIdWorld } from './openid-world.ts'

/** A private key that the server knows the public part of. */
export interface OwnKey {
  readonly keyId: string
  readonly privateKey: KeyObject
}

interface KeyFile {
  readonly keyId: string
  readonly key: string
}

function readKeyFile(details: Uint8Array): OwnKey {
  const { keyId, key } = JSON.parse(Buffer.from(details).toString('utf8')) as KeyFile
  return { keyId, privateKey: createPrivateKey(key) }
}

export interface MachineClient {
  readonly userId: string
  readonly clientId: string
  readonly clientSecret: string
  readonly key: OwnKey
}

/** Adds a machine user with a secret and a key. `accessTokenType`: 0 opaque, 1 signed. */
export async function addMachineClient(
  world: OpenIdWorld,
  accessTokenType: 0 | 1 = 0,
  organizationId: string = world.defaultOrganizationId,
  chosenId?: string,
): Promise<MachineClient> {
  const { call } = world
  const owner = { ...world.owner, organizationId }
  const { method } = ManagementService
  const name = `machine-${world.app.newId()}`
  const chosen = chosenId === undefined ? {} : { userId: chosenId }
  const { userId } = await call(method.addMachineUser, { userName: name, name, accessTokenType, ...chosen }, owner)
  const { clientId, clientSecret } = await call(method.generateMachineSecret, { userId }, owner)
  const { keyDetails } = await call(method.addMachineKey, { userId, type: 1 }, owner)
  return { userId, clientId, clientSecret, key: readKeyFile(keyDetails) }
}

/** Adds a key to an application. */
export async function addApplicationKey(world: OpenIdWorld, { id, projectId }: Application): Promise<OwnKey> {
  const request = { applicationId: id, projectId }
  const { keyDetails } = await world.call(ApplicationService.method.createApplicationKey, request, world.owner)
  return readKeyFile(keyDetails)
}

/** A signed assertion in which a client or machine names itself (RFC 7523). */
export function assertionOf(
  { keyId, privateKey }: OwnKey,
  subject: string,
  audience: string,
  more: JWTPayload = {},
): Promise<string> {
  return new SignJWT({ jti: randomUUID(), ...more })
    .setProtectedHeader({ alg: 'RS256', kid: keyId })
    .setIssuer(subject)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey)
}

/** The parameters of `private_key_jwt`. */
export async function assertionForm(world: OpenIdWorld, { clientId }: Application, key: OwnKey) {
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertionOf(key, clientId, world.url),
  }
}

export interface DpopKey {
  proof(method: string, url: string, more?: JWTPayload): Promise<string>
}

/** A key of an application that its tokens are bound to. */
export function newDpopKey(): DpopKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' }) as { kty: string }
  return {
    proof: (method, url, more = {}) =>
      new SignJWT({ htm: method, htu: url, jti: randomUUID(), ...more })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
        .setIssuedAt(more.iat)
        .sign(privateKey),
  }
}
