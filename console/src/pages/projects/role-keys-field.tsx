/** Chooses roles of a project. */
import { useQuery } from '@connectrpc/connect-query'
import { Badge, Group, MultiSelect, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { ProjectRoleFieldName } from '../../../../contract/gen/signet/project/v2/query_pb.ts'
import { useTexts } from '../../texts/index.tsx'
import { projectTexts } from './texts/index.ts'

/** As many roles as a request can name. */
const MOST_ROLES = 1000

interface RoleKeysFieldProps {
  readonly projectId: string
  readonly value: readonly string[]
  onChange(keys: string[]): void
  readonly error?: ReactNode
}

/** A field with all roles of the project. */
export function RoleKeysField({ projectId, value, onChange, error }: RoleKeysFieldProps) {
  const t = useTexts(projectTexts)
  const roles = useQuery(ProjectService.method.listProjectRoles, {
    projectId,
    pagination: { limit: MOST_ROLES, asc: true },
    sortingColumn: ProjectRoleFieldName.KEY,
  })
  const data = (roles.data?.projectRoles ?? []).map(({ key, displayName }) => ({
    value: key,
    label: displayName === key ? key : `${displayName} (${key})`,
  }))
  return (
    <MultiSelect
      label={t.tabs.roles}
      placeholder={value.length === 0 ? t.chooseRoles : undefined}
      data={data}
      value={[...value]}
      onChange={onChange}
      searchable
      hidePickedOptions
      nothingFoundMessage={data.length === 0 ? t.noRoles : undefined}
      error={error ?? (roles.error ? String(roles.error.message) : undefined)}
    />
  )
}

/** The keys of roles in a list. */
export function RoleKeys({ keys }: { readonly keys: readonly string[] }) {
  if (keys.length === 0) return <Text size="sm">–</Text>
  return (
    <Group gap={4}>
      {keys.map((key) => (
        <Badge key={key} variant="default" radius="sm" tt="none" fw={500} maw={220}>
          {key}
        </Badge>
      ))}
    </Group>
  )
}
