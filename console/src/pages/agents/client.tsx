/** A client that nobody prepared, as lists show it. */
import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AgentClientKind } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useTexts } from '../../texts/index.tsx'
import { agentTexts } from './texts/index.ts'

/** How a client became known, in a word; nothing for one that somebody prepared. */
export function ClientKind({ kind }: { readonly kind: AgentClientKind }) {
  const { kinds } = useTexts(agentTexts)
  if (kind === AgentClientKind.UNSPECIFIED) return null
  const isDocument = kind === AgentClientKind.METADATA_DOCUMENT
  return <StateBadge mood="waiting" label={isDocument ? kinds.document : kinds.registered} />
}

interface Client {
  readonly name: string
  readonly clientId: string
  readonly applicationId: string
  /** Empty while the client cannot be used. */
  readonly projectId: string
  readonly agentClientKind: AgentClientKind
}

/** The name of a client, or its ID. */
export function nameOf({ name, clientId }: Pick<Client, 'name' | 'clientId'>): string {
  return name || clientId
}

/** Its name, and the host that it is known by. Only the host of a metadata document is more than the client's own word. */
export function ClientCell({ client }: { readonly client: Client }) {
  const t = useTexts(agentTexts)
  const { clientId, applicationId, projectId, agentClientKind } = client
  const isDocument = agentClientKind === AgentClientKind.METADATA_DOCUMENT
  return (
    <Stack gap={2} align="flex-start">
      {projectId === '' ? (
        <Text size="sm" fw={500}>
          {nameOf(client)}
        </Text>
      ) : (
        <Anchor
          component={Link}
          to="/projects/$projectId/applications/$applicationId"
          params={{ projectId, applicationId } as never}
          size="sm"
          fw={500}
        >
          {nameOf(client)}
        </Anchor>
      )}
      <Group gap="xs">
        <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {isDocument ? new URL(clientId).host : clientId}
        </Text>
        <StateBadge mood={isDocument ? 'good' : 'stopped'} label={isDocument ? t.hosts.verified : t.hosts.unverified} />
      </Group>
    </Stack>
  )
}

/** What the client can use, one below the other. */
export function ScopesCell({ scopes }: { readonly scopes: readonly string[] }) {
  return (
    <Stack gap={0} miw={120}>
      {scopes.map((scope) => (
        <Text key={scope} size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {scope}
        </Text>
      ))}
    </Stack>
  )
}

/** The URI of an API. */
export function ResourceCell({ resource }: { readonly resource: string }) {
  return (
    <Text size="sm" miw={150} maw={260} style={{ overflowWrap: 'anywhere' }}>
      {resource || '–'}
    </Text>
  )
}
