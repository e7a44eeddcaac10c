/** What is shown while a page loads. */
import { Center, Loader } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { partsTexts } from './texts/index.ts'

/** A quiet loader in the middle of the page. */
export function PageLoader() {
  const t = useTexts(partsTexts)
  return (
    <Center mih="12rem" role="status" aria-label={t.loading}>
      <Loader type="dots" />
    </Center>
  )
}
