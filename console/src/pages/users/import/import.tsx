/** Imports many people from a file: CSV, which is shown first, or one JSON object per line. */
import {
  Alert,
  Anchor,
  Button,
  Code,
  FileInput,
  Group,
  Paper,
  Progress,
  Select,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type ColumnMapping, CSV_PRESETS } from '../../../../../src/kernel/csv/column-mapping.ts'
import { HeaderRefused, type Preview } from '../../../../../src/kernel/csv/read-users.ts'
import { useTargetOrganization } from '../../../access/organization.tsx'
import { downloadText } from '../../../parts/download.ts'
import { usePageTitle } from '../../../parts/use-page-title.ts'
import { useLanguage, useTexts } from '../../../texts/index.tsx'
import { userTexts } from '../texts/index.ts'
import { isCsv, linesOfCsv, previewOf } from './csv-file.ts'
import { CsvPreview } from './csv-preview.tsx'
import { postLines } from './post-lines.ts'
import { type FailedLine, type ImportProgress, NO_PROGRESS, runImport } from './run-import.ts'
import { csvTexts } from './texts/csv/index.ts'
import { importTexts } from './texts/index.ts'

const EXAMPLE = `username,given_name,family_name,email,email_verified,phone,language,metadata.department
ada,Ada,Lovelace,ada@example.com,true,'+41791234567,en,Engineering
grace,Grace,Hopper,grace@example.com,false,,en,"Research, Navy"
`
const NDJSON = 'application/x-ndjson'

/** Files with our own headings. */
const OWN = 'signet'

type State = 'idle' | 'running' | 'done' | 'stopped'

/** The page. */
export function ImportPage() {
  const t = useTexts(importTexts)
  const csv = useTexts(csvTexts)
  const { title } = useTexts(userTexts)
  const organizationId = useTargetOrganization()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [state, setState] = useState<State>('idle')
  const [reason, setReason] = useState('')
  const [progress, setProgress] = useState(NO_PROGRESS)
  const [preset, setPreset] = useState(OWN)
  const mapping = CSV_PRESETS[preset]
  const preview = usePreview(file, mapping)
  const running = useRef<AbortController>(undefined)
  usePageTitle(t.title)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    if (file === null) return
    const stop = new AbortController()
    running.current = stop
    setState('running')
    setProgress(NO_PROGRESS)
    try {
      const lines = isCsv(file) ? linesOfCsv(file, mapping) : file
      await runImport({ file: lines, signal: stop.signal, post: postLines(organizationId), onProgress: setProgress })
      setState('done')
    } catch (error) {
      setReason(stop.signal.aborted ? t.stoppedByUser : (error instanceof Error && error.message) || t.unavailable)
      setState('stopped')
    }
    void queries.invalidateQueries()
  }
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setState('idle')
  }
  const isReady = file !== null && (!isCsv(file) || (preview !== undefined && preview.rows > preview.wrongRows))
  return (
    <Stack gap="md" maw={860}>
      <Anchor component={Link} to="/users" size="sm" w="fit-content">
        ← {title}
      </Anchor>
      <Title order={1}>{t.title}</Title>
      <Paper withBorder p="lg">
        <Stack>
          <Text size="sm">{t.hint}</Text>
          <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {EXAMPLE}
          </Code>
          <Button
            variant="default"
            w="fit-content"
            onClick={() => downloadText('users.csv', `\ufeff${EXAMPLE}`, 'text/csv')}
          >
            {csv.template}
          </Button>
          <FileInput
            label={t.file}
            placeholder={t.choose}
            accept=".csv,text/csv,.ndjson,.jsonl,.json,application/x-ndjson"
            value={file}
            onChange={choose}
            disabled={state === 'running'}
            clearable
            clearButtonProps={{ 'aria-label': t.clear }}
          />
          {file !== null && isCsv(file) && (
            <Select
              label={csv.preset}
              description={csv.presetHint}
              data={[
                { value: OWN, label: csv.noPreset },
                ...Object.entries(CSV_PRESETS).map(([value, { from }]) => ({
                  value,
                  label: from.split(',')[0] ?? value,
                })),
              ]}
              value={preset}
              onChange={(chosen) => setPreset(chosen ?? OWN)}
              allowDeselect={false}
              disabled={state === 'running'}
            />
          )}
          {preview !== undefined && state === 'idle' && <CsvPreview preview={preview} />}
          <Group>
            <Button disabled={!isReady || state === 'running'} onClick={() => void start()}>
              {t.start}
            </Button>
            {state === 'running' && (
              <Button variant="default" onClick={() => running.current?.abort()}>
                {t.stop}
              </Button>
            )}
          </Group>
        </Stack>
      </Paper>
      {state !== 'idle' && <Results progress={progress} state={state} reason={reason} name={file?.name ?? ''} />}
    </Stack>
  )
}

/** What a CSV file would bring; undefined for other files, and until it was read. */
function usePreview(file: File | null, mapping: ColumnMapping | undefined): Preview | undefined {
  const [seen, setSeen] = useState<{ readonly file: File; mapping: ColumnMapping | undefined; preview: Preview }>()
  useEffect(() => {
    if (file === null || !isCsv(file)) return
    previewOf(file, mapping).then(
      (preview) => setSeen({ file, mapping, preview }),
      (error: unknown) => {
        const problems = error instanceof HeaderRefused ? error.problems : []
        setSeen({ file, mapping, preview: { rows: 0, wrongRows: 0, problems, first: [] } })
      },
    )
  }, [file, mapping])
  return seen?.file === file && seen?.mapping === mapping ? seen?.preview : undefined
}

interface ResultsProps {
  readonly progress: ImportProgress
  readonly state: State
  readonly reason: string
  readonly name: string
}

function Results({ progress, state, reason, name }: ResultsProps) {
  const t = useTexts(importTexts)
  const { language } = useLanguage()
  const { created, exists, failed, lines, share } = progress
  const figure = (count: number) => count.toLocaleString(language)
  const base = name.replace(/\.[^.]*$/, '')
  return (
    <Paper withBorder p="lg" component="section" aria-label={t.result}>
      <Stack>
        <Progress.Root size="lg">
          <Progress.Section value={share * 100} aria-label={t.progress} animated={state === 'running'} />
        </Progress.Root>
        <Text role="status">
          {t.counts({
            lines: figure(lines),
            created: figure(created),
            exists: figure(exists),
            failed: figure(failed.length),
          })}
        </Text>
        {state === 'done' && failed.length === 0 && <Alert color="green">{t.done}</Alert>}
        {state === 'stopped' && (
          <Alert color="yellow" title={t.stopped}>
            {reason} {t.again}
          </Alert>
        )}
        {failed.length > 0 && (
          <>
            <Group>
              <Button
                variant="default"
                onClick={() =>
                  downloadText(`${base}.failed.ndjson`, failed.map(({ text }) => `${text}\n`).join(''), NDJSON)
                }
              >
                {t.downloadLines}
              </Button>
              <Button
                variant="default"
                onClick={() =>
                  downloadText(
                    `${base}.reasons.ndjson`,
                    failed.map(({ result }) => `${JSON.stringify(result)}\n`).join(''),
                    NDJSON,
                  )
                }
              >
                {t.downloadReasons}
              </Button>
            </Group>
            <FailedLines failed={failed} />
          </>
        )}
      </Stack>
    </Paper>
  )
}

/** The first of them; the file has all. */
const MOST_SHOWN = 100

function FailedLines({ failed }: { readonly failed: readonly FailedLine[] }) {
  const t = useTexts(importTexts)
  return (
    <Table aria-label={t.failedLines}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.line}</Table.Th>
          <Table.Th>{t.reason}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {failed.slice(0, MOST_SHOWN).map(({ result }) => (
          <Table.Tr key={result.line}>
            <Table.Td>{result.line}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{result.error?.message}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
