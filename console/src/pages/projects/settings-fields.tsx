/** The settings of a project in its forms. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { PrivateLabelingSetting, type Project } from '../../../../contract/gen/signet/project/v2/project_pb.ts'
import { useTexts } from '../../texts/index.tsx'
import { projectTexts } from './texts/index.ts'

const LABELINGS = {
  unspecified: PrivateLabelingSetting.UNSPECIFIED,
  project: PrivateLabelingSetting.ENFORCE_PROJECT_RESOURCE_OWNER_POLICY,
  user: PrivateLabelingSetting.ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY,
} as const

type Labeling = keyof typeof LABELINGS

export interface ProjectValues extends Record<string, unknown> {
  readonly name: string
  readonly projectRoleAssertion: boolean
  readonly authorizationRequired: boolean
  readonly projectAccessRequired: boolean
  readonly labeling: Labeling
}

/** The values of a project, or those of a new one. */
export function valuesOf(project?: Project): ProjectValues {
  const found = Object.entries(LABELINGS).find(([, setting]) => setting === project?.privateLabelingSetting)
  return {
    name: project?.name ?? '',
    projectRoleAssertion: project?.projectRoleAssertion ?? true,
    authorizationRequired: project?.authorizationRequired ?? false,
    projectAccessRequired: project?.projectAccessRequired ?? false,
    labeling: (found?.[0] as Labeling | undefined) ?? 'unspecified',
  }
}

/** The values as requests have them. */
export function settingsOf({ name, labeling, ...settings }: ProjectValues) {
  return {
    name: name.trim(),
    projectRoleAssertion: settings.projectRoleAssertion,
    authorizationRequired: settings.authorizationRequired,
    projectAccessRequired: settings.projectAccessRequired,
    privateLabelingSetting: LABELINGS[labeling],
  }
}

/** The fields. */
export function SettingsFields({ form }: { readonly form: UseFormReturnType<ProjectValues> }) {
  const t = useTexts(projectTexts)
  const labelings = Object.keys(LABELINGS) as Labeling[]
  return (
    <>
      <TextInput
        label={t.name}
        description={t.nameHint}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Checkbox
        label={t.roleAssertion}
        description={t.roleAssertionHint}
        {...form.getInputProps('projectRoleAssertion', { type: 'checkbox' })}
      />
      <Checkbox
        label={t.authorizationRequired}
        description={t.authorizationRequiredHint}
        {...form.getInputProps('authorizationRequired', { type: 'checkbox' })}
      />
      <Checkbox
        label={t.accessRequired}
        description={t.accessRequiredHint}
        {...form.getInputProps('projectAccessRequired', { type: 'checkbox' })}
      />
      <NativeSelect
        label={t.labeling}
        data={labelings.map((value) => ({ value, label: t.labelings[value] }))}
        {...form.getInputProps('labeling')}
      />
    </>
  )
}
