/** The one message that everything is measured with: operation 6, a machine user with a name and a description. */
import { create, toBinary, toJsonString } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AddMachineUserRequestSchema } from '../contract/gen/signet/management/v1/machine_pb.ts'

/** gRPC's length-prefixed form. */
export function frameMessage(message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(5 + message.length)
  bytes[0] = 0
  bytes.writeUInt32BE(message.length, 1)
  bytes.set(message, 5)
  return bytes
}

let count = 0
const run = Math.random().toString(36).slice(2, 8)

/** A request that differs from every other one of this run. */
export function request() {
  return create(AddMachineUserRequestSchema, {
    userName: `robot-${run}-${count++}`,
    name: 'Robot of the warehouse',
    description: 'Moves boxes from the gate to the shelf and back again.',
  })
}

export function binaryRequest(): Uint8Array {
  return toBinary(AddMachineUserRequestSchema, request())
}
export function jsonRequest(): Uint8Array {
  return Buffer.from(toJsonString(AddMachineUserRequestSchema, request()))
}

/** What a server that does no work answers. */
export function reply() {
  const at = timestampFromMs(Date.now())
  return {
    userId: '01a1dcfd-29e8-7f27-949a-f66ceaf1b212',
    details: { sequence: 42n, creationDate: at, changeDate: at, resourceOwner: '01a1dcfd-29e8-7f27-949a-f66ceaf1b213' },
  }
}

/** A session as a server that does no work shows it. */
export function session() {
  const at = timestampFromMs(Date.now())
  return {
    id: '01a1dcfd-29e8-7f27-949a-f66ceaf1b214',
    sequence: 42n,
    creationDate: at,
    changeDate: at,
    expirationDate: at,
    factors: {
      user: {
        verifiedAt: at,
        id: '01a1dcfd-29e8-7f27-949a-f66ceaf1b212',
        loginName: 'ada-1@example.com',
        displayName: 'Ada Lovelace',
        organizationId: '01a1dcfd-29e8-7f27-949a-f66ceaf1b213',
      },
    },
    metadata: { device: 'laptop' },
  }
}
