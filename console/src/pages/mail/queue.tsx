/** The mails that could not be delivered, with the reasons, and a new attempt. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ParkedMail } from '../../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { AreaLinks } from '../../parts/area-links.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { QUEUE_LIST } from './list-specs.ts'
import { typeLabel } from './message-types.ts'
import type { MailTexts } from './texts/en.ts'
import { mailTexts } from './texts/index.ts'

const { listParkedMails, resendParkedMails } = MailService.method

function columnsOf(t: MailTexts, mayWrite: boolean): [Column<ParkedMail>, ...Column<ParkedMail>[]] {
  return [
    {
      key: 'to',
      header: t.recipient,
      cell: ({ to, userId }) => (
        <Anchor component={Link} to="/users/$userId" params={{ userId } as never} size="sm" fw={500}>
          {to}
        </Anchor>
      ),
    },
    { key: 'type', header: t.texts.message, cell: ({ type }) => <Text size="sm">{typeLabel(type, t)}</Text> },
    {
      key: 'reason',
      header: t.queue.reason,
      cell: ({ lastError }) => (
        <Text size="sm" maw={360} style={{ overflowWrap: 'anywhere' }}>
          {lastError}
        </Text>
      ),
    },
    { key: 'attempts', header: t.queue.attempts, cell: ({ attempts }) => <Text size="sm">{attempts}</Text> },
    { key: 'parked', header: t.queue.parked, sort: 'parked', cell: ({ parkedAt }) => <When time={parkedAt} /> },
    ...(mayWrite
      ? [{ key: 'retry', header: t.queue.retry, cell: (mail: ParkedMail) => <RetryButton mail={mail} /> }]
      : []),
  ]
}

function RetryButton({ mail: { id, to } }: { readonly mail: ParkedMail }) {
  const t = useTexts(mailTexts)
  const retry = useAction(resendParkedMails, { done: t.queue.retried, changes: [listParkedMails] })
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={retry.isRunning}
      aria-label={`${t.queue.retry}: ${to}`}
      onClick={() => retry.run({ ids: [id] })}
    >
      {t.queue.retry}
    </Button>
  )
}

/** The page. */
export function MailQueuePage() {
  const t = useTexts(mailTexts)
  const { can } = usePermissions()
  const state = useListState(QUEUE_LIST)
  const mayWrite = can('iam.write')
  const retryAll = useAction(resendParkedMails, { done: t.queue.retried, changes: [listParkedMails] })
  const { data, error, isPlaceholderData, refetch } = useQuery(
    listParkedMails,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      recipient: state.q.trim(),
    },
    { placeholderData: keepPreviousData },
  )
  const total = Number(data?.pagination?.totalResult ?? 0)
  return (
    <Stack>
      <AreaLinks area="/mail" />
      <ListPage
        title={t.queue.title}
        description={t.queue.description}
        actions={
          mayWrite &&
          total > 0 && (
            <Button variant="default" loading={retryAll.isRunning} onClick={() => retryAll.run({})}>
              {t.queue.retryAll}
            </Button>
          )
        }
        state={state}
        searchLabel={t.recipientSearch}
        columns={columnsOf(t, mayWrite)}
        list={{ rows: data?.mails, total, error, isStale: isPlaceholderData, refetch }}
        keyOf={({ id }) => id}
        empty={<Text>{t.queue.empty}</Text>}
      />
    </Stack>
  )
}
