/** The open sessions of a user: where they are signed in, and how to end it. */
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createConnectQueryKey, useQuery } from '@connectrpc/connect-query'
import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session } from '../../../../../contract/gen/signet/session/v2/session_pb.ts'
import { SessionService } from '../../../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { TimestampQueryMethod } from '../../../../../contract/gen/signet/v1/object_pb.ts'
import { ConfirmEnd } from '../../../parts/confirm-end.tsx'
import { ItemList } from '../../../parts/item-list.tsx'
import { Section } from '../../../parts/section.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { When } from '../../../parts/when.tsx'
import { useTexts } from '../../../texts/index.tsx'
import type { CredentialTexts } from './texts/en.ts'
import { credentialTexts } from './texts/index.ts'

const { listSessions, deleteSession } = SessionService.method

interface SessionsTabProps {
  readonly userId: string
  readonly userName: string
  readonly mayEnd: boolean
}

function deviceOf({ userAgent }: Session, t: CredentialTexts): string {
  return userAgent?.description || t.sessions.unknownDevice
}

function factorsOf({ factors }: Session, t: CredentialTexts): string {
  const checked = (['password', 'webAuthN', 'intent', 'totp', 'otpSms', 'otpEmail', 'recoveryCode'] as const)
    .filter((name) => factors?.[name]?.verifiedAt !== undefined)
    .map((name) => t.sessions.factors[name])
  return checked.length === 0 ? t.sessions.notFinished : checked.join(', ')
}

/** The tab. */
export function SessionsTab({ userId, userName, mayEnd }: SessionsTabProps) {
  const t = useTexts(credentialTexts)
  // Fixed while the tab is open, so that the question stays the same.
  const [now] = useState(() => timestampFromDate(new Date()))
  const { data, error, refetch } = useQuery(listSessions, {
    query: { limit: 1000 },
    queries: [
      { query: { case: 'userIdQuery', value: { id: userId } } },
      {
        query: {
          case: 'expirationDateQuery',
          value: { expirationDate: now, method: TimestampQueryMethod.GREATER },
        },
      },
    ],
  })
  const sessions = data?.sessions
  return (
    <Section title={t.sessions.title} description={t.sessions.hint}>
      <ItemList
        label={t.sessions.title}
        list={{ rows: sessions, error, refetch }}
        keyOf={({ id }) => id}
        textOf={(session) => `${deviceOf(session, t)} ${session.userAgent?.ip ?? ''}`}
        empty={t.sessions.empty}
        columns={[
          { key: 'device', header: t.sessions.device, cell: (session) => <Device session={session} /> },
          { key: 'ip', header: t.sessions.ip, cell: ({ userAgent }) => userAgent?.ip || '–' },
          { key: 'first', header: t.sessions.first, cell: ({ creationDate }) => <When time={creationDate} /> },
          { key: 'last', header: t.sessions.last, cell: ({ changeDate }) => <When time={changeDate} /> },
        ]}
        actions={mayEnd && ((session) => <EndSession session={session} />)}
      />
      {mayEnd && sessions !== undefined && sessions.length > 1 && <EndAll sessions={sessions} userName={userName} />}
    </Section>
  )
}

function Device({ session }: { readonly session: Session }) {
  const t = useTexts(credentialTexts)
  return (
    <div>
      <Text size="sm">{deviceOf(session, t)}</Text>
      <Text size="xs" c="dimmed">
        {factorsOf(session, t)}
      </Text>
    </div>
  )
}

function EndSession({ session }: { readonly session: Session }) {
  const t = useTexts(credentialTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const end = useAction(deleteSession, { done: t.sessions.ended, changes: [listSessions] })
  const name = deviceOf(session, t)
  const since = session.creationDate ? timestampDate(session.creationDate).toLocaleString() : ''
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        onClick={open}
        aria-label={t.sessions.endNamed({ device: name, since })}
      >
        {t.sessions.end}
      </Button>
      <ConfirmEnd
        title={t.sessions.endTitle({ device: name })}
        text={t.sessions.consequence}
        button={t.sessions.end}
        isOpen={isOpen}
        onClose={close}
        isRunning={end.isRunning}
        onConfirm={() => end.run({ sessionId: session.id })}
      />
    </>
  )
}

function EndAll({ sessions, userName }: { readonly sessions: readonly Session[]; readonly userName: string }) {
  const t = useTexts(credentialTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const queries = useQueryClient()
  const end = useAction(deleteSession, { done: t.sessions.ended })
  const endAll = async () => {
    for (const { id } of sessions) if ((await end.run({ sessionId: id })) === undefined) break
    await queries.invalidateQueries({
      queryKey: createConnectQueryKey({ schema: listSessions, cardinality: undefined }),
    })
  }
  return (
    <Group justify="flex-end">
      <Button color="red.9" onClick={open}>
        {t.sessions.endAll}
      </Button>
      <ConfirmEnd
        title={t.sessions.endAllTitle({ user: userName })}
        text={t.sessions.consequence}
        button={t.sessions.endAll}
        isOpen={isOpen}
        onClose={close}
        isRunning={end.isRunning}
        onConfirm={endAll}
      />
    </Group>
  )
}
