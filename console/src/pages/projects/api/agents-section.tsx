/** Which clients that nobody prepared can ask for the resources of a project. */
import { useQuery } from '@connectrpc/connect-query'
import { Alert, Anchor, Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Project } from '../../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { SettingsService } from '../../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { usePermissions } from '../../../access/me.tsx'
import { FormSection } from '../../../parts/form-section.tsx'
import { Icon } from '../../../parts/icons.tsx'
import { partsTexts } from '../../../parts/texts/index.ts'
import { useAction } from '../../../parts/use-action.ts'
import { useServerForm } from '../../../parts/use-server-form.ts'
import { useTexts } from '../../../texts/index.tsx'
import { apiTexts } from './texts/index.ts'

const { updateProject, getProject } = ProjectService.method

const SWITCHES = ['clientIdMetadataDocuments', 'dynamicRegistration', 'onBehalfOf'] as const

interface AgentsSectionProps {
  readonly project: Project
  readonly mayWrite: boolean
}

/** The card. */
export function AgentsSection({ project, mayWrite }: AgentsSectionProps) {
  const { agents: t } = useTexts(apiTexts)
  const { saved } = useTexts(partsTexts)
  const { projectId, agentAccess } = project
  const { form, problems, showError } = useServerForm({
    initialValues: {
      clientIdMetadataDocuments: agentAccess?.clientIdMetadataDocuments ?? false,
      dynamicRegistration: agentAccess?.dynamicRegistration ?? false,
      onBehalfOf: agentAccess?.onBehalfOf ?? false,
    },
    paths: {},
  })
  const save = useAction(updateProject, {
    done: saved,
    changes: [getProject],
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const send = form.onSubmit((values) => {
    // It is replaced as a whole: what this form does not know stays as it is.
    const { $typeName: _, $unknown: __, ...others } = agentAccess ?? {}
    return save.run({ projectId, agentAccess: { ...others, ...values } })
  })
  return (
    <FormSection
      title={t.title}
      description={t.description}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={send}
    >
      {SWITCHES.map((name) => (
        <Checkbox
          key={name}
          label={t.names[name]}
          description={t.hints[name]}
          {...form.getInputProps(name, { type: 'checkbox' })}
        />
      ))}
      <InstanceNotice chosen={form.values} />
    </FormSection>
  )
}

/** Says that the instance does not allow what is chosen, to those who may know. */
function InstanceNotice({ chosen }: { readonly chosen: Readonly<Record<(typeof SWITCHES)[number], boolean>> }) {
  const { agents: t } = useTexts(apiTexts)
  const { can } = usePermissions()
  const { data } = useQuery(SettingsService.method.getSecuritySettings, {}, { enabled: can('iam.policy.read') })
  if (data?.settings === undefined) return null
  const { clientIdMetadataDocuments, dynamicClientRegistration } = data.settings
  const isAllowed = {
    clientIdMetadataDocuments: clientIdMetadataDocuments?.enabled ?? false,
    dynamicRegistration: dynamicClientRegistration?.enabled ?? false,
    // The project alone decides.
    onBehalfOf: true,
  }
  if (SWITCHES.every((name) => !chosen[name] || isAllowed[name])) return null
  return (
    <Alert color="yellow" icon={<Icon name="warning" />}>
      {t.offHere}{' '}
      <Anchor component={Link} to="/agents/settings" size="sm" c="inherit" td="underline">
        {t.instance}
      </Anchor>
    </Alert>
  )
}
