/** The state of an object in one word, with a colour that says the same. */
import { Badge } from '@mantine/core'

/** `good`: works. `waiting`: the next step is open. `stopped`: switched off. `bad`: needs attention. */
export type Mood = 'good' | 'waiting' | 'stopped' | 'bad'

const COLORS = { good: 'green', waiting: 'yellow', stopped: 'gray', bad: 'red' } as const

/** The state of an object. */
export function StateBadge({ mood, label }: { readonly mood: Mood; readonly label: string }) {
  return (
    <Badge color={COLORS[mood]} variant="light" radius="sm" tt="none" autoContrast>
      {label}
    </Badge>
  )
}
