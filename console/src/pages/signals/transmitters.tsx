/** The transmitters whose signals count here: added, changed, paused, removed. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { type TrustedTransmitter, WhenAccountDisabled } from '../../../../contract/gen/signet/signal/v1/signal_pb.ts'
import { SignalService } from '../../../../contract/gen/signet/signal/v1/signal_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization } from '../../access/organization.tsx'
import { type ItemColumn, ItemList } from '../../parts/item-list.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { Section } from '../../parts/section.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { useMayWrite } from './owner.ts'
import type { SignalTexts } from './texts/en.ts'
import { signalTexts } from './texts/index.ts'
import { TransmitterDialog } from './transmitter-dialog.tsx'

const { listTrustedTransmitters, updateTrustedTransmitter, deleteTrustedTransmitter } = SignalService.method

function columnsOf(t: SignalTexts, providers: ReadonlyMap<string, string>) {
  const columns: [ItemColumn<TrustedTransmitter>, ...ItemColumn<TrustedTransmitter>[]] = [
    {
      key: 'name',
      header: t.name,
      cell: ({ name, issuer }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {issuer}
          </Text>
        </>
      ),
    },
    {
      key: 'provider',
      header: t.provider,
      cell: ({ idpId }) => <Text size="sm">{providers.get(idpId) ?? idpId}</Text>,
    },
    {
      key: 'users',
      header: t.usersOf,
      cell: ({ organizationId }) => (
        <Text size="sm">{organizationId === '' ? t.allOrganizations : t.oneOrganization({ id: organizationId })}</Text>
      ),
    },
    {
      key: 'disabled',
      header: t.whenDisabled,
      cell: ({ whenAccountDisabled }) => (
        <Text size="sm">{whenAccountDisabled === WhenAccountDisabled.DEACTIVATE ? t.deactivate : t.endSessions}</Text>
      ),
    },
    {
      key: 'state',
      header: t.state,
      cell: ({ paused }) => <StateBadge mood={paused ? 'stopped' : 'good'} label={paused ? t.paused : t.trusted} />,
    },
  ]
  return columns
}

export function TransmittersSection() {
  const t = useTexts(signalTexts)
  const { canSomewhere } = usePermissions()
  const { organizationId = '' } = useOrganization()
  const mayWrite = useMayWrite()
  const [edited, setEdited] = useState<TrustedTransmitter | 'new'>()
  const request = { organizationId, pagination: { limit: 1000 } }
  const { data, error, refetch } = useQuery(listTrustedTransmitters, request)
  const providers = useQuery(ManagementService.method.listProviders, { query: { limit: 1000 } }, { retry: false })
  const names = new Map(providers.data?.result.map(({ id, name }) => [id, name]))
  return (
    <Section title={t.transmitters} description={t.transmittersHint}>
      <ItemList
        label={t.transmitters}
        columns={columnsOf(t, names)}
        list={{ rows: data?.transmitters, error, refetch }}
        keyOf={({ id }) => id}
        textOf={({ id, name, issuer }) => `${id} ${name} ${issuer}`}
        empty={t.noTransmitters}
        actions={(transmitter) =>
          mayWrite(transmitter.organizationId) && (
            <TransmitterActions transmitter={transmitter} onEdit={() => setEdited(transmitter)} />
          )
        }
      />
      {canSomewhere('signal.write') && (
        <Button variant="default" w="fit-content" onClick={() => setEdited('new')}>
          {t.add}
        </Button>
      )}
      {edited !== undefined && (
        <TransmitterDialog
          transmitter={edited}
          providers={providers.data?.result ?? []}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  )
}

interface ActionsProps {
  readonly transmitter: TrustedTransmitter
  onEdit(): void
}

function TransmitterActions({ transmitter: { id: transmitterId, name, paused }, onEdit }: ActionsProps) {
  const t = useTexts(signalTexts)
  const changes = [listTrustedTransmitters]
  const change = useAction(updateTrustedTransmitter, { done: paused ? t.resumedDone : t.pausedDone, changes })
  const remove = useAction(deleteTrustedTransmitter, { done: t.removed, changes })
  return (
    <Group gap={4} wrap="nowrap">
      <Button size="compact-sm" variant="subtle" aria-label={`${t.edit}: ${name}`} onClick={onEdit}>
        {t.edit}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={`${paused ? t.resume : t.pause}: ${name}`}
        loading={change.isRunning}
        onClick={() => change.run({ transmitterId, paused: !paused })}
      >
        {paused ? t.resume : t.pause}
      </Button>
      <RemoveButton
        name={name}
        consequence={t.removeConsequence}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ transmitterId })}
      />
    </Group>
  )
}
