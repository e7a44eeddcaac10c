/** The state of a user, with its word and colour. */
import { UserState } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { type Mood, StateBadge } from '../../parts/state-badge.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { UserTexts } from './texts/en.ts'
import { userTexts } from './texts/index.ts'

/** The states by their name in the address. */
export const STATES = {
  active: UserState.ACTIVE,
  inactive: UserState.INACTIVE,
  locked: UserState.LOCKED,
  initial: UserState.INITIAL,
} as const

const LOOKS: Readonly<Record<number, readonly [Mood, keyof UserTexts['states']]>> = {
  [UserState.ACTIVE]: ['good', 'active'],
  [UserState.INACTIVE]: ['stopped', 'inactive'],
  [UserState.LOCKED]: ['bad', 'locked'],
  [UserState.INITIAL]: ['waiting', 'initial'],
}

interface UserStateProps {
  readonly user: { readonly state: UserState; readonly invited: boolean }
}

/** The state of a user. Whoever is invited may act, and has not come yet. */
export function UserStateBadge({ user: { state, invited } }: UserStateProps) {
  const t = useTexts(userTexts)
  const isWaiting = invited && (state === UserState.ACTIVE || state === UserState.INITIAL)
  const [mood, label] = isWaiting ? (['waiting', 'invited'] as const) : (LOOKS[state] ?? ['stopped', 'unknown'])
  return <StateBadge mood={mood} label={t.states[label]} />
}
