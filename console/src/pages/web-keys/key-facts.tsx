/** What web keys are: their algorithm and state, in words. */
import { ECDSACurve, RSABits, RSAHasher, State, type WebKey } from '../../../../contract/gen/signet/webkey/v2/key_pb.ts'
import { type Mood, StateBadge } from '../../parts/state-badge.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { WebKeyTexts } from './texts/en.ts'
import { webKeyTexts } from './texts/index.ts'

const BITS: Readonly<Record<number, number>> = {
  [RSABits.RSA_BITS_2048]: 2048,
  [RSABits.RSA_BITS_3072]: 3072,
  [RSABits.RSA_BITS_4096]: 4096,
}

const HASHES: Readonly<Record<number, number>> = {
  [RSAHasher.RSA_HASHER_SHA256]: 256,
  [RSAHasher.RSA_HASHER_SHA384]: 384,
  [RSAHasher.RSA_HASHER_SHA512]: 512,
}

const CURVES: Readonly<Record<number, readonly [string, string]>> = {
  [ECDSACurve.ECDSA_CURVE_P256]: ['ES256', 'P-256'],
  [ECDSACurve.ECDSA_CURVE_P384]: ['ES384', 'P-384'],
  [ECDSACurve.ECDSA_CURVE_P512]: ['ES512', 'P-521'],
}

/** `RS256, 2048 bits`. */
export function algorithmOf({ key }: Pick<WebKey, 'key'>): string {
  if (key.case === 'rsa') return `RS${HASHES[key.value.hasher] ?? ''}, ${BITS[key.value.bits] ?? ''} bits`
  if (key.case === 'ecdsa') return (CURVES[key.value.curve] ?? []).join(', ')
  return 'EdDSA, Ed25519'
}

const LOOKS: Readonly<Record<number, readonly [Mood, keyof WebKeyTexts['states']]>> = {
  [State.INITIAL]: ['waiting', 'initial'],
  [State.ACTIVE]: ['good', 'active'],
  [State.INACTIVE]: ['stopped', 'inactive'],
}

/** The name of the state in addresses and texts. */
export function stateName({ state }: WebKey): keyof WebKeyTexts['states'] {
  return LOOKS[state]?.[1] ?? 'inactive'
}

/** The state in one word. */
export function KeyState({ webKey }: { readonly webKey: WebKey }) {
  const t = useTexts(webKeyTexts)
  return <StateBadge mood={LOOKS[webKey.state]?.[0] ?? 'stopped'} label={t.states[stateName(webKey)]} />
}
