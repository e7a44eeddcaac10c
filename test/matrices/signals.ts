/** A stream of signals and a trusted transmitter of an organization. */
import { SignalService } from '../../contract/gen/signet/signal/v1/signal_service_pb.ts'
import { signalStreams } from '../../src/features/signal-streams/index.ts'
import type { openScene } from './scene.ts'

interface Home {
  readonly home: string
  readonly idpId: string
  readonly machine: string
}

export async function addSignals(
  { app, call, origin, owner }: Pick<Awaited<ReturnType<typeof openScene>>, 'app' | 'call' | 'origin' | 'owner'>,
  { home, idpId, machine }: Home,
) {
  const settings = { description: 'Home', delivery: { method: 'poll' } } as const
  const { value } = await app.store.write(origin(), (work) =>
    work.begin(signalStreams, app.newId(), { type: 'add', receiverId: machine, settings }, home),
  )
  const signals = { issuer: 'https://signals.example', audience: 'us', jwksUri: 'https://signals.example/keys' }
  const transmitter = { organizationId: home, name: 'Home', idpId, ...signals }
  const { transmitterId } = await call(SignalService.method.createTrustedTransmitter, transmitter, owner)
  return { streamId: value.id, transmitterId }
}
