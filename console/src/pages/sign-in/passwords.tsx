/** The rules for passwords: what they must contain, when they expire, and how many attempts there are. */
import { Stack } from '@mantine/core'
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { AgeSection } from './age-section.tsx'
import { ComplexitySection } from './complexity-section.tsx'
import { LockoutSection } from './lockout-section.tsx'
import { useOwnerSentence } from './owner-sentence.ts'
import { signInTexts } from './texts/index.ts'

/** The page. */
export function PasswordSettingsPage() {
  const t = useTexts(signInTexts)
  return (
    <AreaPage title={t.passwords.title} description={useOwnerSentence()} links={<AreaLinks area="/sign-in" />}>
      <Stack>
        <ComplexitySection />
        <AgeSection />
        <LockoutSection />
      </Stack>
    </AreaPage>
  )
}
