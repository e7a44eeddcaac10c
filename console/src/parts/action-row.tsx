/** A change of state with a sentence that says what it does, such as "Deactivate". */
import { Button, Group, Text } from '@mantine/core'

interface ActionRowProps {
  readonly label: string
  readonly hint: string
  /** Takes something away permanently. */
  readonly isDangerous?: boolean
  readonly isRunning?: boolean
  onClick(): unknown
}

/** The sentence with its button. */
export function ActionRow({ label, hint, isDangerous = false, isRunning = false, onClick }: ActionRowProps) {
  return (
    <Group justify="space-between">
      <Text size="sm" flex="1 1 16rem">
        {hint}
      </Text>
      <Button
        variant={isDangerous ? 'filled' : 'default'}
        {...(isDangerous && { color: 'red.9' })}
        loading={isRunning}
        onClick={() => void onClick()}
      >
        {label}
      </Button>
    </Group>
  )
}
