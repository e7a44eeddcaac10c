/** The resources of a project: add, change and remove them. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { ProjectResource } from '../../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { ConfirmRemove } from '../../../parts/confirm-remove.tsx'
import { Icon } from '../../../parts/icons.tsx'
import { ItemList } from '../../../parts/item-list.tsx'
import { RowButton } from '../../../parts/row-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { StateBadge } from '../../../parts/state-badge.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { useTexts } from '../../../texts/index.tsx'
import { ResourceDialog } from './resource-dialog.tsx'
import { resourcesWithout } from './resource-values.ts'
import { apiTexts } from './texts/index.ts'

const { listProjectResources, setProjectResources } = ProjectService.method

interface ResourcesSectionProps {
  readonly projectId: string
  readonly mayWrite: boolean
}

/** The card. */
export function ResourcesSection({ projectId, mayWrite }: ResourcesSectionProps) {
  const { resources: t } = useTexts(apiTexts)
  const { data, error, refetch } = useQuery(listProjectResources, { projectId })
  const [edited, setEdited] = useState<ProjectResource | 'new'>()
  const resources = data?.resources
  return (
    <Section title={t.title} description={t.description}>
      <ItemList
        label={t.title}
        columns={[
          { key: 'uri', header: t.uri, cell: (resource) => <ResourceUri resource={resource} /> },
          { key: 'scopes', header: t.scopes, cell: (resource) => <Scopes resource={resource} /> },
        ]}
        list={{ rows: resources, error, refetch }}
        keyOf={({ uri }) => uri}
        textOf={({ uri }) => uri}
        empty={t.empty}
        actions={
          mayWrite &&
          ((resource) => (
            <>
              <RowButton label={t.edit} of={resource.uri} onClick={() => setEdited(resource)} />
              <RemoveResource projectId={projectId} resources={resources ?? []} removed={resource} />
            </>
          ))
        }
      />
      {mayWrite && resources && (
        <Group>
          <Button variant="default" onClick={() => setEdited('new')} leftSection={<Icon name="plus" size={16} />}>
            {t.add}
          </Button>
        </Group>
      )}
      {edited !== undefined && resources && (
        <ResourceDialog
          projectId={projectId}
          resources={resources}
          edited={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  )
}

function ResourceUri({ resource: { uri, isDefault } }: { readonly resource: ProjectResource }) {
  const { resources: t } = useTexts(apiTexts)
  return (
    <Group gap="xs">
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {uri}
      </Text>
      {isDefault && <StateBadge mood="good" label={t.default} />}
    </Group>
  )
}

function Scopes({ resource: { scopes } }: { readonly resource: ProjectResource }) {
  const { resources: t } = useTexts(apiTexts)
  if (scopes.length === 0) return <Text size="sm">{t.noScopes}</Text>
  return (
    <Stack gap={4}>
      {scopes.map(({ key, description }) => (
        <div key={key}>
          <Text size="sm" ff="monospace">
            {key}
          </Text>
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        </div>
      ))}
    </Stack>
  )
}

interface RemoveResourceProps {
  readonly projectId: string
  readonly resources: readonly ProjectResource[]
  readonly removed: ProjectResource
}

function RemoveResource({ projectId, resources, removed }: RemoveResourceProps) {
  const { resources: t } = useTexts(apiTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(setProjectResources, { done: t.removeDone, changes: [listProjectResources] })
  return (
    <>
      <RowButton label={t.remove} of={removed.uri} onClick={open} />
      <ConfirmRemove
        name={removed.uri}
        isOpen={isOpen}
        onClose={close}
        consequence={t.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ projectId, resources: resourcesWithout(resources, removed) })}
      />
    </>
  )
}
