/** A small button in a row of a list. Its name says which row, for those who hear the page. */
import { Button } from '@mantine/core'

interface RowButtonProps {
  readonly label: string
  /** The name of the row. */
  readonly of: string
  readonly isRunning?: boolean
  onClick(): unknown
}

/** The button: "Edit", read as "Edit: viewer". */
export function RowButton({ label, of, isRunning = false, onClick }: RowButtonProps) {
  return (
    <Button
      size="xs"
      variant="default"
      loading={isRunning}
      aria-label={`${label}: ${of}`}
      onClick={() => void onClick()}
    >
      {label}
    </Button>
  )
}
