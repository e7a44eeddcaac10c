/** Approves a client for all users of an organization, for what it has at one of them or for a part of it. */
import { Checkbox, Stack, Text } from '@mantine/core'
import {
  type AgentAccess,
  AgentAccessService,
} from '../../../../contract/gen/signet/application/v2/agent_access_service_pb.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { nameOf } from './client.tsx'
import { approvable } from './scopes.ts'
import { agentTexts } from './texts/index.ts'

const { approveAgent, listAgentAccess, listAgentApprovals } = AgentAccessService.method

interface ApproveDialogProps {
  readonly access: AgentAccess
  onClose(): void
}

/** The dialog. */
export function ApproveDialog({ access, onClose }: ApproveDialogProps) {
  const t = useTexts(agentTexts)
  const { organizationId, organizationName, applicationId, resource } = access
  const { form, problems, showError } = useServerForm({
    initialValues: { scopes: [...approvable(access.scopes)] },
    validate: { scopes: (scopes) => (scopes.length === 0 ? t.access.nothingChosen : null) },
    paths: { scopes: 'scopes' },
    refusals: { 'grant.scope_unknown': 'scopes', 'grant.not_approvable': 'scopes' },
  })
  const approve = useAction(approveAgent, {
    done: t.access.approveDone,
    changes: [listAgentAccess, listAgentApprovals],
    onError: showError,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t.access.approveTitle({ client: nameOf(access) })}
      submitLabel={t.access.approve}
      problems={problems}
      isRunning={approve.isRunning}
      onClose={onClose}
      onSubmit={form.onSubmit(({ scopes }) => approve.run({ organizationId, applicationId, resource, scopes }))}
    >
      <Text size="sm">{t.access.approveText({ organization: organizationName })}</Text>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {resource}
      </Text>
      <Checkbox.Group label={t.scopes} {...form.getInputProps('scopes')}>
        <Stack gap="xs" mt={6}>
          {approvable(access.scopes).map((scope) => (
            <Checkbox key={scope} value={scope} label={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}
