/** What must be decided before people sign in, with the pages where it is done. It is read before anything else can be done. */
import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core'
import { isUnread } from '../../../../../src/kernel/import-report.ts'
import { useTexts } from '../../../texts/index.tsx'
import { markRead, type Run } from './import-api.ts'
import { moveTexts } from './texts/index.ts'
import { useImportCall } from './use-import-call.ts'

interface DecisionsProps {
  readonly run: Run
  onChanged(): Promise<unknown>
}

export function Decisions({ run, onChanged }: DecisionsProps) {
  const t = useTexts(moveTexts)
  const call = useImportCall(onChanged)
  const toDecide = run.summary?.toDecide ?? []
  if (toDecide.length === 0) return null
  return (
    <Alert color="yellow" title={t.toDecide}>
      <Stack gap="sm">
        {toDecide.map(({ todo, kind, count, objects }) => (
          <div key={`${todo} ${kind}`}>
            <Text size="sm" fw={600}>
              {t.todos[todo]}: {t.kinds[kind] ?? kind} ({count})
            </Text>
            <List size="sm">
              {objects.map(({ id, link, reasons }) => (
                <List.Item key={`${link} ${id}`} style={{ overflowWrap: 'anywhere' }}>
                  {run.isDryRun ? id : <Anchor href={link}>{id}</Anchor>}: {reasons.join(' ')}
                </List.Item>
              ))}
            </List>
            {count > objects.length && <Text size="sm">{t.more({ count: count - objects.length })}</Text>}
          </div>
        ))}
        {call.problem !== '' && <Alert color="red">{call.problem}</Alert>}
        {isUnread(run) && (
          <div>
            <Button disabled={call.isRunning} onClick={() => void call.run(markRead)}>
              {t.markRead}
            </Button>
          </div>
        )}
      </Stack>
    </Alert>
  )
}
