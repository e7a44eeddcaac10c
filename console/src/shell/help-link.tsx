/** Leads to the page of the documentation that explains this area, in another tab: the form here may be half filled in. */
import { ActionIcon } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { Icon } from '../parts/icons.tsx'
import { useTexts } from '../texts/index.tsx'
import { documentationFor } from './documentation.ts'
import { shellTexts } from './texts/index.ts'

/** A link in the header. */
export function HelpLink() {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  return (
    <ActionIcon
      component="a"
      href={documentationFor(pathname)}
      target="_blank"
      rel="noreferrer"
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t.documentation}
      title={t.documentation}
    >
      <Icon name="help" />
    </ActionIcon>
  )
}
