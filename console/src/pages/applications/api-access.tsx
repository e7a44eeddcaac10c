/** How far the tokens of an application reach in the API of this server. */
import { NativeSelect } from '@mantine/core'
import { ApiAccess as Access, type Application } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import type { Place } from '../../access/permissions.ts'
import { FormSection } from '../../parts/form-section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { applicationTexts } from './texts/index.ts'

const LEVELS = {
  none: Access.NONE,
  project: Access.PROJECT,
  organization: Access.ORGANIZATION,
  instance: Access.INSTANCE,
} as const

type Level = keyof typeof LEVELS

const NAMES = Object.keys(LEVELS) as Level[]

/** A permission that only those have who may allow a level. */
const NEEDED = { organization: 'org.delete', instance: 'iam.member.delete' } as const

/** The section. Those levels can be chosen that the user reaches. */
export function ApiAccessSection({ application, place }: { readonly application: Application; readonly place: Place }) {
  const { apiAccess: t } = useTexts(applicationTexts)
  const { can } = usePermissions()
  const { applicationId, projectId } = application
  const { form, problems, showError } = useServerForm({
    initialValues: { level: NAMES.find((name) => LEVELS[name] === application.apiAccess) ?? 'project' },
    paths: { level: 'access' },
    refusals: { 'application.access_above_own': 'level' },
  })
  const { setApplicationApiAccess, getApplication } = ApplicationService.method
  const save = useAction(setApplicationApiAccess, {
    done: t.done,
    changes: [getApplication],
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const mayChoose = (level: Level) => {
    if (level === 'instance') return can(NEEDED.instance, {})
    return level !== 'organization' || can(NEEDED.organization, { organizationId: place.organizationId })
  }
  return (
    <FormSection
      title={t.label}
      description={t.hint}
      problems={problems}
      mayWrite={can('project.app.write', place)}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit(({ level }) => save.run({ applicationId, projectId, access: LEVELS[level] }))}
    >
      <NativeSelect
        label={t.label}
        description={t.lowered}
        data={NAMES.map((value) => ({ value, label: t.levels[value], disabled: !mayChoose(value) }))}
        {...form.getInputProps('level')}
      />
    </FormSection>
  )
}
