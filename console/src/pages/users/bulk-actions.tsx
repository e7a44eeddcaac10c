/** Locks, deactivates or removes several users, one after the other, and says which of them it could not and why. */
import type { DescMethodUnary } from '@bufbuild/protobuf'
import { callUnaryMethod, createConnectQueryKey, useTransport } from '@connectrpc/connect-query'
import { Alert, Button, Group, List, Modal, Paper, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { ConfirmEnd } from '../../parts/confirm-end.tsx'
import { useFailureSentence } from '../../parts/failure-notice.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import { bulkTexts } from './texts/bulk/index.ts'
import { userTexts } from './texts/index.ts'
import { displayNameOf } from './user-names.ts'

const { lockUser, deactivateUser, deleteUser, listUsers } = UserService.method
const METHODS = { lock: lockUser, deactivate: deactivateUser, remove: deleteUser } as const

type What = keyof typeof METHODS

interface Outcome {
  readonly what: What
  readonly done: number
  readonly total: number
  readonly failures: readonly { readonly userId: string; readonly name: string; readonly reason: string }[]
}

interface BulkActionsProps {
  readonly chosen: readonly User[]
  readonly mayWrite: boolean
  readonly mayRemove: boolean
  /** Called when all were tried, with the users that are as they were. */
  onDone(failed: ReadonlySet<string>): void
}

/** The bar above the list, while users are chosen. */
export function BulkActions({ chosen, mayWrite, mayRemove, onDone }: BulkActionsProps) {
  const t = useTexts(bulkTexts)
  const { danger } = useTexts(userTexts)
  const [asked, setAsked] = useState<What>()
  const { outcome, run, clear } = useBulk(onDone)
  const actions = [...(mayWrite ? (['lock', 'deactivate'] as const) : []), ...(mayRemove ? (['remove'] as const) : [])]
  const isRunning = outcome !== undefined && outcome.done < outcome.total
  const hints = { lock: danger.lockHint, deactivate: danger.deactivateHint, remove: t.removeHint }
  return (
    <>
      {chosen.length > 0 && (
        <Paper withBorder p="sm" role="group" aria-label={t.selected({ count: chosen.length })}>
          <Group justify="space-between">
            <Text size="sm">{t.selected({ count: chosen.length })}</Text>
            <Group gap="xs">
              {actions.map((what) => (
                <Button key={what} size="xs" variant="default" disabled={isRunning} onClick={() => setAsked(what)}>
                  {danger[what]}
                </Button>
              ))}
            </Group>
          </Group>
        </Paper>
      )}
      {asked && (
        <ConfirmEnd
          title={t.question[asked]({ count: chosen.length })}
          text={hints[asked]}
          button={danger[asked]}
          isOpen
          isRunning={isRunning}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            setAsked(undefined)
            await run(asked, chosen)
          }}
        />
      )}
      {outcome && <OutcomeDialog outcome={outcome} onClose={clear} />}
    </>
  )
}

/** One after the other, so that the server has other work to do as well, and the progress is true. */
function useBulk(onDone: BulkActionsProps['onDone']) {
  const transport = useTransport()
  const queries = useQueryClient()
  const sentence = useFailureSentence()
  const [outcome, setOutcome] = useState<Outcome>()
  const run = async (what: What, users: readonly User[]) => {
    let now: Outcome = { what, done: 0, total: users.length, failures: [] }
    setOutcome(now)
    for (const user of users) {
      const { userId } = user
      const reason = await callUnaryMethod(transport, METHODS[what] as typeof lockUser, { userId }).then(
        () => undefined,
        (error: unknown) => sentence(error),
      )
      const failed = reason === undefined ? [] : [{ userId, name: displayNameOf(user), reason }]
      now = { ...now, done: now.done + 1, failures: [...now.failures, ...failed] }
      setOutcome(now)
    }
    onDone(new Set(now.failures.map(({ userId }) => userId)))
    const queryKey = createConnectQueryKey({ schema: listUsers as DescMethodUnary, cardinality: undefined })
    await queries.invalidateQueries({ queryKey })
  }
  return { outcome, run, clear: () => setOutcome(undefined) }
}

function OutcomeDialog({ outcome, onClose }: { readonly outcome: Outcome; onClose(): void }) {
  const t = useTexts(bulkTexts)
  const { close } = useTexts(partsTexts)
  const { what, done, total, failures } = outcome
  const isRunning = done < total
  const changed = done - failures.length
  return (
    <Modal
      opened
      onClose={isRunning ? () => {} : onClose}
      withCloseButton={!isRunning}
      closeButtonProps={{ 'aria-label': close }}
      title={isRunning ? t.running : t.finished}
    >
      <Stack>
        <Progress value={(100 * done) / total} aria-label={t.progress({ done, total })} />
        <Text size="sm" role="status">
          {isRunning ? t.progress({ done, total }) : t.result[what]({ count: changed })}
        </Text>
        {failures.length > 0 && (
          <Alert color="red" title={t.failed({ count: failures.length })}>
            <List size="sm">
              {failures.map(({ userId, name, reason }) => (
                <List.Item key={userId}>
                  {name}: {reason}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        {!isRunning && (
          <Group justify="flex-end">
            <Button onClick={onClose}>{close}</Button>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}
