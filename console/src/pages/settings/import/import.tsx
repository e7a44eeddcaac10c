/** Moves another product into this instance: files are uploaded, tried on a copy, and imported. */
import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isUnread } from '../../../../../src/kernel/import-report.ts'
import { AreaLinks } from '../../../parts/area-links.tsx'
import { AreaPage } from '../../../parts/area-page.tsx'
import { CodeBlock } from '../../../parts/code-block.tsx'
import { Reading } from '../../../parts/reading.tsx'
import { Section } from '../../../parts/section.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { Followed } from './followed.tsx'
import { readState } from './import-api.ts'
import { RunView } from './run-view.tsx'
import { StartForm } from './start-form.tsx'
import { moveTexts } from './texts/index.ts'
import { UploadForm } from './upload-form.tsx'

const KEY = ['import']
const POLL_MS = 1_000
const COMMAND =
  'signet import zitadel postgres://signet_import@db.example.com/zitadel --master-key-file zitadel.key --dry-run'

/** The page. */
export function ImportPage() {
  const t = useTexts(moveTexts)
  const queries = useQueryClient()
  const [isUploading, setUploading] = useState(false)
  const query = useQuery({
    queryKey: KEY,
    queryFn: readState,
    refetchInterval: ({ state }) => (state.data?.run?.status === 'running' ? POLL_MS : false),
  })
  const changed = () => queries.invalidateQueries({ queryKey: KEY })
  return (
    <AreaPage title={t.title} description={t.lead} links={<AreaLinks area="/settings" />}>
      <Reading query={query}>
        {(state) => {
          const { run, files } = state
          const isRunning = run?.status === 'running'
          const isKept = run?.isDryRun === false && isUnread(run)
          const isComplete = files.length > 0 && files.every(({ bytes, size }) => bytes === size)
          return (
            <Stack gap="md">
              {!isRunning && !isKept && <UploadForm state={state} onChanged={changed} onUploading={setUploading} />}
              {!isRunning && isComplete && !isUploading && <StartForm state={state} onChanged={changed} />}
              {run !== undefined && <RunView run={run} onChanged={changed} />}
              <Section title={t.zitadel} description={t.zitadelHint}>
                <CodeBlock label={t.command} code={COMMAND} />
                <Followed followed={state.followed} />
              </Section>
              <Section title={t.csv} description={t.csvHint}>
                <Text size="sm">
                  <Anchor component={Link} to="/users/import">
                    {t.csvLink}
                  </Anchor>
                </Text>
              </Section>
            </Stack>
          )
        }}
      </Reading>
    </AreaPage>
  )
}
