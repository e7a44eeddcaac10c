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

/** The state of a user. */
export function UserStateBadge({ state }: { readonly state: UserState }) {
  const t = useTexts(userTexts)
  const [mood, label] = LOOKS[state] ?? ['stopped', 'unknown']
  return <StateBadge mood={mood} label={t.states[label]} />
}
