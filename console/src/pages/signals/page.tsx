/** Shared signals of the organization in the header, or of all: who learns of users here, and whose signals count here. */
import { Anchor, Text } from '@mantine/core'
import { AreaPage } from '../../parts/area-page.tsx'
import { documentationFor } from '../../shell/documentation.ts'
import { useTexts } from '../../texts/index.tsx'
import { StreamsSection } from './streams.tsx'
import { signalTexts } from './texts/index.ts'
import { TransmittersSection } from './transmitters.tsx'

export function SignalsPage() {
  const t = useTexts(signalTexts)
  return (
    <AreaPage title={t.title} description={t.lead}>
      <StreamsSection />
      <TransmittersSection />
      <Text size="sm">
        <Anchor href={documentationFor('/signals')} size="sm">
          {t.more}
        </Anchor>
      </Text>
    </AreaPage>
  )
}
