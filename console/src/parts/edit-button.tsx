/** A small button in a row that edits the object of the row. */
import { ActionIcon, Tooltip } from '@mantine/core'

interface EditButtonProps {
  /** Names the object, such as "Edit: color". */
  readonly label: string
  onClick(): void
}

/** The button, with a pencil. */
export function EditButton({ label, onClick }: EditButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" onClick={onClick} aria-label={label}>
        <svg
          width="18"
          height="18"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth={1.8}
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d="M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4" />
        </svg>
      </ActionIcon>
    </Tooltip>
  )
}
