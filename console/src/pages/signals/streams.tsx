/** The streams that receivers have set up: how they are, how far behind, and their end. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type SignalStream, SignalStreamState } from '../../../../contract/gen/signet/signal/v1/signal_pb.ts'
import { SignalService } from '../../../../contract/gen/signet/signal/v1/signal_service_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { useOrganization } from '../../access/organization.tsx'
import { type ItemColumn, ItemList } from '../../parts/item-list.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { Section } from '../../parts/section.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useAction } from '../../parts/use-action.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { displayNameOf } from '../users/user-names.ts'
import { useMayWrite } from './owner.ts'
import type { SignalTexts } from './texts/en.ts'
import { signalTexts } from './texts/index.ts'

const { listSignalStreams, deleteSignalStream } = SignalService.method
const REFRESH_MS = 10_000

/** The names of the machine users who set streams up; without the permission to read them, their IDs are shown. */
function useReceiverNames(streams: readonly SignalStream[]): ReadonlyMap<string, string> {
  const userIds = [...new Set(streams.map(({ receiverId }) => receiverId))].sort()
  const { data } = useQuery(
    UserService.method.listUsers,
    { query: { limit: 1000 }, queries: [{ query: { case: 'inUserIdsQuery', value: { userIds } } }] },
    { enabled: userIds.length > 0, retry: false },
  )
  return new Map(data?.result.map((user) => [user.userId, displayNameOf(user)]))
}

/** The state of a stream in one word, and the reason below it. */
function StreamState({ stream: { state, failingSince, failure, reason } }: { readonly stream: SignalStream }) {
  const t = useTexts(signalTexts)
  const isEnabled = state === SignalStreamState.ENABLED
  const isFailing = isEnabled && failingSince !== undefined
  const label = isFailing
    ? t.failing
    : isEnabled
      ? t.enabled
      : state === SignalStreamState.PAUSED
        ? t.paused
        : t.disabled
  const why = isFailing ? failure : reason
  return (
    <>
      <StateBadge mood={isFailing ? 'bad' : isEnabled ? 'good' : 'stopped'} label={label} />
      {why !== '' && (
        <Text size="xs" c="dimmed">
          {why}
        </Text>
      )}
    </>
  )
}

function columnsOf(t: SignalTexts, names: ReadonlyMap<string, string>) {
  const columns: [ItemColumn<SignalStream>, ...ItemColumn<SignalStream>[]] = [
    {
      key: 'receiver',
      header: t.receiver,
      cell: ({ receiverId, description }) => (
        <>
          <Anchor component={Link} to="/users/$userId" params={{ userId: receiverId } as never} size="sm" fw={500}>
            {names.get(receiverId) ?? receiverId}
          </Anchor>
          {description !== '' && <Text size="sm">{description}</Text>}
        </>
      ),
    },
    {
      key: 'endpoint',
      header: t.delivery,
      cell: ({ endpoint }) => <Text size="sm">{endpoint === '' ? t.fetched : endpoint}</Text>,
    },
    {
      key: 'users',
      header: t.usersOf,
      cell: ({ organizationId }) => (
        <Text size="sm">{organizationId === '' ? t.allOrganizations : t.oneOrganization({ id: organizationId })}</Text>
      ),
    },
    { key: 'state', header: t.state, cell: (stream) => <StreamState stream={stream} /> },
    { key: 'behind', header: t.behind, cell: ({ behind }) => <Text size="sm">{String(behind)}</Text> },
    { key: 'delivered', header: t.lastDelivery, cell: ({ lastDeliveryDate }) => <When time={lastDeliveryDate} /> },
  ]
  return columns
}

export function StreamsSection() {
  const t = useTexts(signalTexts)
  const { organizationId = '' } = useOrganization()
  const mayWrite = useMayWrite()
  const request = { organizationId, pagination: { limit: 1000 } }
  const { data, error, refetch } = useQuery(listSignalStreams, request, { refetchInterval: REFRESH_MS })
  const names = useReceiverNames(data?.streams ?? [])
  const remove = useAction(deleteSignalStream, { done: t.streamRemoved, changes: [listSignalStreams] })
  const nameOf = ({ receiverId }: SignalStream) => names.get(receiverId) ?? receiverId
  return (
    <Section title={t.streams} description={t.streamsHint}>
      <ItemList
        label={t.streams}
        columns={columnsOf(t, names)}
        list={{ rows: data?.streams, error, refetch }}
        keyOf={({ id }) => id}
        textOf={(stream) => `${stream.id} ${nameOf(stream)} ${stream.description} ${stream.endpoint}`}
        empty={t.noStreams}
        actions={(stream) =>
          mayWrite(stream.organizationId) && (
            <RemoveButton
              name={stream.description || nameOf(stream)}
              consequence={t.removeStreamConsequence}
              isRunning={remove.isRunning}
              onConfirm={() => remove.run({ streamId: stream.id })}
            />
          )
        }
      />
    </Section>
  )
}
