/** How far a dry run or an import is, and its report. */
import { Alert, Button, Group, Progress, Text } from '@mantine/core'
import { downloadBlob } from '../../../parts/download.ts'
import { Section } from '../../../parts/section.tsx'
import { useLanguage, useTexts } from '../../../texts/index.tsx'
import { Decisions } from './decisions.tsx'
import { type Run, readReport, stopImport } from './import-api.ts'
import { ReportTables } from './report-tables.tsx'
import { moveTexts } from './texts/index.ts'
import { useImportCall } from './use-import-call.ts'

interface RunViewProps {
  readonly run: Run
  onChanged(): Promise<unknown>
}

/** The section. */
export function RunView({ run, onChanged }: RunViewProps) {
  const t = useTexts(moveTexts)
  const call = useImportCall(onChanged)
  const { status, summary, isDryRun, message } = run
  const download = async () => downloadBlob('import-report.json', await readReport())
  return (
    <Section title={isDryRun ? t.dryRunResult : t.importResult}>
      {status === 'running' && <RunProgress run={run} />}
      {status === 'done' && <Alert color="green">{isDryRun ? t.dryRunDone : t.importDone}</Alert>}
      {status === 'stopped' && <Alert color="yellow">{t.stopped}</Alert>}
      {status === 'failed' && (
        <Alert color="red" title={t.failed}>
          {message}
        </Alert>
      )}
      {summary !== undefined && <Decisions run={run} onChanged={onChanged} />}
      {summary !== undefined && <ReportTables summary={summary} />}
      {call.problem !== '' && <Alert color="red">{call.problem}</Alert>}
      <Group>
        {status === 'running' && (
          <Button variant="default" disabled={call.isRunning} onClick={() => void call.run(stopImport)}>
            {t.stop}
          </Button>
        )}
        {summary !== undefined && (
          <Button variant="default" disabled={call.isRunning} onClick={() => void call.run(download)}>
            {t.download}
          </Button>
        )}
      </Group>
    </Section>
  )
}

function RunProgress({ run: { done, total, seconds } }: { readonly run: Run }) {
  const t = useTexts(moveTexts)
  const { language } = useLanguage()
  const figure = (count: number) => Math.round(count).toLocaleString(language)
  const rate = seconds > 0 ? done / seconds : 0
  const isMeasured = total !== undefined && rate > 0
  return (
    <>
      <Progress.Root size="lg">
        <Progress.Section
          value={total === undefined ? 100 : Math.min(100, (done / Math.max(total, 1)) * 100)}
          aria-label={t.progress}
          animated
        />
      </Progress.Root>
      <Text role="status" size="sm">
        {total === undefined ? t.reading : t.done({ done: figure(done), total: figure(total), rate: figure(rate) })}{' '}
        {isMeasured && t.remaining({ seconds: figure(Math.max(0, total - done) / rate) })}
      </Text>
    </>
  )
}
