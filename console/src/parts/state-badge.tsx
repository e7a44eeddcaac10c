/** The state of an object in one word, with a colour that says the same. */
import { Badge } from '@mantine/core'
import classes from './state-badge.module.css'

/** `good`: works. `waiting`: the next step is open. `stopped`: switched off. `bad`: needs attention. */
export type Mood = 'good' | 'waiting' | 'stopped' | 'bad'

/** The state of an object. */
export function StateBadge({ mood, label }: { readonly mood: Mood; readonly label: string }) {
  return (
    <Badge className={classes[mood]} radius="sm" tt="none" fw={600} miw="max-content">
      {label}
    </Badge>
  )
}
