/** Imports many people from a file with one JSON object per line. */
import {
  Alert,
  Anchor,
  Button,
  Code,
  FileInput,
  Group,
  Paper,
  Progress,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTargetOrganization } from '../../../access/organization.tsx'
import { downloadText } from '../../../parts/download.ts'
import { usePageTitle } from '../../../parts/use-page-title.ts'
import { useLanguage, useTexts } from '../../../texts/index.tsx'
import { userTexts } from '../texts/index.ts'
import { postLines } from './post-lines.ts'
import { type FailedLine, type ImportProgress, NO_PROGRESS, runImport } from './run-import.ts'
import { importTexts } from './texts/index.ts'

const EXAMPLE =
  '{"userId":"legacy-1","username":"ada","profile":{"givenName":"Ada","familyName":"Lovelace"},"email":{"email":"ada@example.com","isVerified":true}}'
const NDJSON = 'application/x-ndjson'

type State = 'idle' | 'running' | 'done' | 'stopped'

/** The page. */
export function ImportPage() {
  const t = useTexts(importTexts)
  const { title } = useTexts(userTexts)
  const organizationId = useTargetOrganization()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [state, setState] = useState<State>('idle')
  const [reason, setReason] = useState('')
  const [progress, setProgress] = useState(NO_PROGRESS)
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
      await runImport({ file, signal: stop.signal, post: postLines(organizationId), onProgress: setProgress })
      setState('done')
    } catch (error) {
      setReason(stop.signal.aborted ? t.stoppedByUser : (error instanceof Error && error.message) || t.unavailable)
      setState('stopped')
    }
    void queries.invalidateQueries()
  }
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
          <FileInput
            label={t.file}
            placeholder={t.choose}
            accept=".ndjson,.jsonl,.json,application/x-ndjson"
            value={file}
            onChange={setFile}
            disabled={state === 'running'}
            clearable
            clearButtonProps={{ 'aria-label': t.clear }}
          />
          <Group>
            <Button disabled={file === null || state === 'running'} onClick={() => void start()}>
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
        <Text role="status">{t.counts(figure(lines), figure(created), figure(exists), figure(failed.length))}</Text>
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
