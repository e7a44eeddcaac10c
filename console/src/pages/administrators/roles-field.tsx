/** The roles that can be given at a level, each with what it allows. */
import { Badge, Checkbox, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { type RoleLevel, rolesAt } from '../../../../src/kernel/role.ts'
import { textAt, useTexts } from '../../texts/index.tsx'
import { administratorTexts } from './texts/index.ts'

interface RolesFieldProps {
  readonly level: RoleLevel
  readonly value: readonly string[]
  onChange(roles: string[]): void
  readonly error?: ReactNode
  readonly isDisabled?: boolean
}

/** One box per role. */
export function RolesField({ level, value, onChange, error, isDisabled = false }: RolesFieldProps) {
  const t = useTexts(administratorTexts)
  return (
    <Checkbox.Group label={t.roles} value={[...value]} onChange={onChange} error={error}>
      <Stack gap="sm" mt="xs">
        {rolesAt(level).map((role) => {
          const [name, hint] = textAt(t.roleTexts, role) ?? [role, '']
          return (
            <Checkbox key={role} value={role} label={name} description={`${hint} (${role})`} disabled={isDisabled} />
          )
        })}
      </Stack>
    </Checkbox.Group>
  )
}

/** The names of roles, in a list. */
export function RoleNames({ roles }: { readonly roles: readonly string[] }) {
  const t = useTexts(administratorTexts)
  return (
    <Group gap={4}>
      {roles.map((role) => (
        <Badge key={role} variant="default" radius="sm" tt="none" fw={500} miw="max-content" title={role}>
          {textAt(t.roleTexts, role)?.[0] ?? role}
        </Badge>
      ))}
    </Group>
  )
}
