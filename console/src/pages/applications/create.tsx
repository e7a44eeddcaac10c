/** Creates an application: first its kind, then what this kind needs. The secret is shown once, with code to start. */
import { useQuery } from '@connectrpc/connect-query'
import { Alert, Anchor, Button, Group, NativeSelect, Paper, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { FormPage } from '../../parts/form-page.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { usePageTitle } from '../../parts/use-page-title.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { type Choice, DEFAULTS } from './kinds.ts'
import { MachineSnippet } from './machine-snippet.tsx'
import { startedWith, typeOf } from './new-application.ts'
import { filledIn } from './oidc-values.ts'
import type { Started } from './start/get-started.tsx'
import { ReadyPage } from './start/ready-page.tsx'
import { applicationTexts } from './texts/index.ts'
import { UriListField } from './uri-list-field.tsx'
import { hasProblem, useUriProblems } from './use-uri-problem.ts'

const CHOICES = ['web', 'spa', 'native', 'api', 'machine'] as const satisfies readonly Choice[]

interface Values extends Record<string, unknown> {
  readonly kind: Choice
  readonly name: string
  readonly authMethod: 'basic' | 'key'
  readonly redirectUris: string[]
  readonly postLogoutRedirectUris: string[]
}

interface Created {
  readonly name: string
  readonly started: Started
}

/** The page. */
export function CreateApplicationPage() {
  const { projectId } = useParams({ from: '/projects/$projectId/applications/new' })
  const [created, setCreated] = useState<Created>()
  if (created !== undefined) return <ReadyPage {...created} />
  return <CreateForm projectId={projectId} onCreated={setCreated} />
}

interface CreateFormProps {
  readonly projectId: string
  onCreated(created: Created): void
}

function CreateForm({ projectId, onCreated }: CreateFormProps) {
  const t = useTexts(applicationTexts)
  const { required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm<Values>({
    initialValues: { kind: 'web', name: '', authMethod: 'basic', redirectUris: [], postLogoutRedirectUris: [] },
    validate: {
      name: isNotEmpty(required),
      redirectUris: (uris, { kind }) => (kind !== 'api' && filledIn(uris).length === 0 ? t.uri.needed : null),
    },
    paths: { name: 'name' },
    refusals: { 'application.name_taken': 'name' },
  })
  const { kind } = form.values
  const owner = useQuery(ProjectService.method.getProject, { projectId })
  const create = useAction(ApplicationService.method.createApplication, {
    done: t.createDone,
    changes: [ApplicationService.method.listApplications],
    onError: showError,
    onDone: (answer) => {
      if (form.values.kind === 'machine') return
      const place = { organizationId: owner.data?.project?.organizationId, projectId }
      onCreated({ name: form.values.name, started: startedWith(answer, place, form.values.kind, form.values) })
    },
  })
  const { redirect } = useUriProblems(kind === 'machine' ? 'api' : kind, false)
  const send = form.onSubmit((values) => {
    if (values.kind === 'machine') return
    const uris = values.kind === 'api' ? [] : [...values.redirectUris, ...values.postLogoutRedirectUris]
    if (hasProblem(uris, redirect)) return form.setFieldError('redirectUris', t.uri.check)
    return create.run({ projectId, name: values.name.trim(), applicationType: typeOf(values.kind, values) })
  })
  const chooser = (
    <Radio.Group label={t.chooseKind} {...form.getInputProps('kind')}>
      <Stack gap="sm" mt="xs">
        {CHOICES.map((choice) => (
          <Radio key={choice} value={choice} label={t.kinds[choice].name} description={t.kinds[choice].hint} />
        ))}
      </Stack>
    </Radio.Group>
  )
  if (kind === 'machine') return <MachinePage projectId={projectId}>{chooser}</MachinePage>
  return (
    <FormPage
      title={t.create}
      parent={{ to: `/projects/${projectId}`, label: t.project }}
      problems={problems}
      isRunning={create.isRunning}
      onSubmit={send}
    >
      {chooser}
      <TextInput label={t.name} description={t.nameHint} required autoComplete="off" {...form.getInputProps('name')} />
      {(kind === 'web' || kind === 'api') && (
        <NativeSelect
          label={t.authMethod}
          data={(['basic', 'key'] as const).map((value) => ({ value, label: t.authMethods[value] }))}
          {...form.getInputProps('authMethod')}
        />
      )}
      {kind !== 'api' && (
        <>
          <UriListField
            label={t.redirectUris}
            description={t.redirectHints[kind]}
            placeholder={DEFAULTS[kind].example}
            value={form.values.redirectUris}
            onChange={(uris) => form.setFieldValue('redirectUris', uris)}
            problemOf={redirect}
            error={form.errors.redirectUris}
          />
          <UriListField
            label={t.postLogoutRedirectUris}
            description={t.postLogoutHint}
            value={form.values.postLogoutRedirectUris}
            onChange={(uris) => form.setFieldValue('postLogoutRedirectUris', uris)}
            problemOf={redirect}
          />
        </>
      )}
    </FormPage>
  )
}

/** A machine is a user with a key or a secret: the page says so, and leads there. */
function MachinePage({ projectId, children }: { readonly projectId: string; readonly children: ReactNode }) {
  const t = useTexts(applicationTexts)
  usePageTitle(t.create)
  return (
    <Stack gap="md" maw={720}>
      <Anchor component={Link} to={`/projects/${projectId}`} size="sm" w="fit-content">
        ← {t.project}
      </Anchor>
      <Title order={1}>{t.create}</Title>
      <Paper withBorder p="lg">
        <Stack>
          {children}
          <Alert title={t.machineTitle}>
            <Text size="sm">{t.machineHint}</Text>
          </Alert>
          <MachineSnippet projectId={projectId} />
          <Group justify="flex-end">
            <Button component={Link} to="/users/new-machine">
              {t.createMachine}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </Stack>
  )
}
