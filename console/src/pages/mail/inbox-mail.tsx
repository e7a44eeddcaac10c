/** One mail of the development inbox, as plain text. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { Mail } from '../../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { AreaPage } from '../../parts/area-page.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Reading } from '../../parts/reading.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { typeLabel } from './message-types.ts'
import { mailTexts } from './texts/index.ts'

const { listInboxMails, deleteInboxMails } = MailService.method

/** The page. The inbox keeps few mails, so the newest ones are searched for the id. */
export function InboxMailPage() {
  const t = useTexts(mailTexts)
  const { mailId } = useParams({ from: '/mail/inbox/$mailId' })
  const mails = useQuery(listInboxMails, { pagination: { limit: 1000 } })
  const mail = mails.data?.mails.find(({ id }) => id === mailId)
  return (
    <AreaPage
      title={mail?.subject ?? t.inbox.mail}
      links={
        <Anchor component={Link} to="/mail/inbox" size="sm" w="fit-content">
          ← {t.inbox.title}
        </Anchor>
      }
      actions={mail && <RemoveButton recipient={mail.to} />}
    >
      <Reading query={mails}>{() => (mail ? <MailCard mail={mail} /> : <Text>{t.inbox.gone}</Text>)}</Reading>
    </AreaPage>
  )
}

function MailCard({ mail: { to, type, createdAt, text } }: { readonly mail: Mail }) {
  const t = useTexts(mailTexts)
  return (
    <Section title={typeLabel(type, t)}>
      <Stack gap="xs">
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t.recipient}:
          </Text>
          <Text size="sm">{to}</Text>
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t.inbox.received}:
          </Text>
          <When time={createdAt} />
        </Group>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Code>
      </Stack>
    </Section>
  )
}

function RemoveButton({ recipient }: { readonly recipient: string }) {
  const t = useTexts(mailTexts)
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(deleteInboxMails, {
    done: t.inbox.removed,
    changes: [listInboxMails],
    onDone: () => navigate({ to: '/mail/inbox' }),
  })
  return (
    <>
      <Button variant="default" leftSection={<Icon name="remove" size={16} />} onClick={open}>
        {t.inbox.clearTo}
      </Button>
      <ConfirmRemove
        name={t.inbox.allTo({ recipient })}
        isOpen={isOpen}
        onClose={close}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ recipient })}
      />
    </>
  )
}
