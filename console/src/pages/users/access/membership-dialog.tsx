/** Gives a user administrator roles, or changes them. */
import { Button, Group, Modal, MultiSelect, NativeSelect, Stack } from '@mantine/core'
import type { Administrator } from '../../../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { InternalPermissionService } from '../../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { rolesAt } from '../../../../../src/kernel/role.ts'
import { usePermissions } from '../../../access/me.tsx'
import { FormProblems } from '../../../parts/form-problems.tsx'
import { partsTexts } from '../../../parts/texts/index.ts'
import { useAction } from '../../../parts/use-action.ts'
import { useServerForm } from '../../../parts/use-server-form.ts'
import { useTexts } from '../../../texts/index.tsx'
import { levelOf, type Resource, resourceOf } from './resources.ts'
import { accessTexts } from './texts/index.ts'

const { listAdministrators, createAdministrator, updateAdministrator } = InternalPermissionService.method

interface MembershipDialogProps {
  readonly userId: string
  /** The organization of the user. */
  readonly organizationId: string
  /** The membership whose roles are changed; none: a new one. */
  readonly edited?: Administrator
  readonly name?: string
  onClose(): void
}

/** The dialog. */
export function MembershipDialog({ userId, organizationId, edited, name = '', onClose }: MembershipDialogProps) {
  const t = useTexts(accessTexts)
  const parts = useTexts(partsTexts)
  const { can } = usePermissions()
  const { form, problems, showError } = useServerForm({
    initialValues: {
      level: (can('iam.member.write') ? 'instance' : 'organization') as 'instance' | 'organization',
      roles: edited?.roles ?? [],
    },
    validate: { roles: (roles) => (roles.length === 0 ? t.chooseRoles : null) },
    paths: { roles: 'roles' },
    refusals: { 'membership.exists': 'level', 'administrator.exists': 'level' },
  })
  const options = { changes: [listAdministrators], onError: showError, onDone: onClose }
  const create = useAction(createAdministrator, { ...options, done: t.memberships.added })
  const update = useAction(updateAdministrator, { ...options, done: parts.saved })
  const level = edited ? levelOf(edited) : form.values.level
  const resource: Resource = edited
    ? resourceOf(edited)
    : form.values.level === 'instance'
      ? { resource: { case: 'instance', value: true } }
      : { resource: { case: 'organizationId', value: organizationId } }
  const send = form.onSubmit(({ roles }) => void (edited ? update : create).run({ userId, resource, roles }))
  const levels = [
    ...(can('iam.member.write') ? [{ value: 'instance', label: t.memberships.instance }] : []),
    { value: 'organization', label: t.memberships.ownOrganization },
  ]
  return (
    <Modal
      opened
      onClose={onClose}
      title={edited ? t.memberships.editTitle({ resource: name }) : t.memberships.add}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <form onSubmit={send} noValidate>
        <Stack>
          <FormProblems problems={problems} />
          {edited === undefined && (
            <NativeSelect
              label={t.memberships.resource}
              data={levels}
              {...form.getInputProps('level')}
              onChange={(event) => {
                const next = event.currentTarget.value as 'instance' | 'organization'
                form.setValues({ level: next, roles: [] })
              }}
            />
          )}
          <MultiSelect
            label={t.roles}
            data={[...rolesAt(level)]}
            searchable
            required
            {...form.getInputProps('roles')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {parts.cancel}
            </Button>
            <Button type="submit" loading={create.isRunning || update.isRunning}>
              {edited ? parts.save : t.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
