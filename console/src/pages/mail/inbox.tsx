/** The development inbox: what would have been sent while no mail server is active. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Mail } from '../../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { AreaLinks } from '../../parts/area-links.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { INBOX_LIST } from './list-specs.ts'
import { typeLabel, typeNamed } from './message-types.ts'
import type { MailTexts } from './texts/en.ts'
import { mailTexts } from './texts/index.ts'

const { listInboxMails, deleteInboxMails } = MailService.method

function columnsOf(t: MailTexts): [Column<Mail>, ...Column<Mail>[]] {
  return [
    {
      key: 'subject',
      header: t.texts.subject,
      cell: ({ id, subject, to }) => (
        <Anchor
          component={Link}
          to="/mail/inbox/$mailId"
          params={{ mailId: id } as never}
          size="sm"
          fw={500}
          aria-label={`${subject}, ${to}`}
        >
          {subject}
        </Anchor>
      ),
    },
    { key: 'to', header: t.recipient, cell: ({ to }) => <Text size="sm">{to}</Text> },
    { key: 'type', header: t.texts.message, cell: ({ type }) => <Text size="sm">{typeLabel(type, t)}</Text> },
    { key: 'created', header: t.inbox.received, sort: 'created', cell: ({ createdAt }) => <When time={createdAt} /> },
  ]
}

/** The page. */
export function InboxPage() {
  const t = useTexts(mailTexts)
  const state = useListState(INBOX_LIST)
  const { type } = state.filters
  const { data, error, isPlaceholderData, refetch } = useQuery(
    listInboxMails,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      recipient: state.q.trim(),
      ...(type !== undefined && { type: typeNamed(type) ?? 0 }),
    },
    { placeholderData: keepPreviousData, staleTime: 0 },
  )
  const total = Number(data?.pagination?.totalResult ?? 0)
  const types = INBOX_LIST.filters.type.map((value) => ({ value, label: t.types[value] }))
  return (
    <Stack>
      <AreaLinks area="/mail" />
      <ListPage
        title={t.inbox.title}
        description={t.inbox.description}
        actions={total > 0 && <EmptyButton recipient={state.q.trim()} />}
        state={state}
        searchLabel={t.recipientSearch}
        filters={[{ name: 'type', label: t.texts.message, options: types }]}
        columns={columnsOf(t)}
        list={{ rows: data?.mails, total, error, isStale: isPlaceholderData, refetch }}
        keyOf={({ id }) => id}
        empty={<Text>{t.inbox.empty}</Text>}
      />
    </Stack>
  )
}

function EmptyButton({ recipient }: { readonly recipient: string }) {
  const t = useTexts(mailTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(deleteInboxMails, { done: t.inbox.removed, changes: [listInboxMails] })
  const name = recipient === '' ? t.inbox.all : t.inbox.allTo({ recipient })
  return (
    <>
      <Button variant="default" leftSection={<Icon name="remove" size={16} />} onClick={open}>
        {t.inbox.clear}
      </Button>
      <ConfirmRemove
        name={name}
        isOpen={isOpen}
        onClose={close}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ recipient })}
      />
    </>
  )
}
