/** Creates an application: first its kind, then what this kind needs. The secret is shown once, with code to start. */
import { useQuery } from '@connectrpc/connect-query'
import {
  Alert,
  Anchor,
  Button,
  Fieldset,
  Group,
  NativeSelect,
  Paper,
  Radio,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { isNotEmpty, type UseFormReturnType } from '@mantine/form'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { FormPage } from '../../parts/form-page.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { usePageTitle } from '../../parts/use-page-title.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { type Choice, DEFAULTS, type SignInKind } from './kinds.ts'
import { MachineSnippet } from './machine-snippet.tsx'
import { startedWith, typeOf } from './new-application.ts'
import { filledIn } from './oidc-values.ts'
import {
  METADATA_FIELDS,
  type MetadataSource,
  type MetadataValues,
  metadataOf,
  metadataPaths,
} from './saml/metadata.ts'
import { MetadataFields } from './saml/metadata-fields.tsx'
import { ProviderValues } from './saml/provider-values.tsx'
import { samlTexts } from './saml/texts/index.ts'
import type { Started } from './start/get-started.tsx'
import { ReadyPage } from './start/ready-page.tsx'
import { applicationTexts } from './texts/index.ts'
import { UriListField } from './uri-list-field.tsx'
import { hasProblem, useUriProblems } from './use-uri-problem.ts'

const CHOICES = ['web', 'spa', 'native', 'api', 'saml', 'machine'] as const satisfies readonly Choice[]

interface Values extends Record<string, unknown>, MetadataValues {
  readonly kind: Choice
  readonly name: string
  readonly authMethod: 'basic' | 'key'
  readonly redirectUris: string[]
  readonly postLogoutRedirectUris: string[]
}

const INITIAL: Values = {
  kind: 'web',
  name: '',
  authMethod: 'basic',
  redirectUris: [],
  postLogoutRedirectUris: [],
  metadataUrl: '',
  entityId: '',
  acsUrl: '',
  metadataXml: '',
}

/** Whether users come back to addresses of the application with OpenID Connect. */
function hasAddresses(kind: Choice): kind is SignInKind {
  return kind in DEFAULTS
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
  const saml = useTexts(samlTexts)
  const { required } = useTexts(partsTexts)
  const navigate = useNavigate()
  const [source, setSource] = useState<MetadataSource>('url')
  const neededForSaml = (text: string, { kind }: Values) => (kind === 'saml' && text.trim() === '' ? required : null)
  const { form, problems, showError } = useServerForm<Values>({
    initialValues: INITIAL,
    validate: {
      name: isNotEmpty(required),
      redirectUris: (uris, { kind }) => (hasAddresses(kind) && filledIn(uris).length === 0 ? t.uri.needed : null),
      ...Object.fromEntries(METADATA_FIELDS[source].map((field) => [field, neededForSaml])),
    },
    paths: { name: 'name', ...metadataPaths(source) },
    refusals: { 'application.name_taken': 'name', 'application.entity_id_taken': METADATA_FIELDS[source][0] },
  })
  const { kind } = form.values
  const owner = useQuery(ProjectService.method.getProject, { projectId })
  const create = useAction(ApplicationService.method.createApplication, {
    done: t.createDone,
    changes: [ApplicationService.method.listApplications],
    onError: showError,
    onDone: (answer) => {
      const { kind, name } = form.values
      if (kind === 'machine') return undefined
      // All that follows is on the page of the application.
      if (kind === 'saml') return navigate({ to: `/projects/${projectId}/applications/${answer.applicationId}` })
      const place = { organizationId: owner.data?.project?.organizationId, projectId }
      return onCreated({ name, started: startedWith(answer, place, kind, form.values) })
    },
  })
  const { redirect } = useUriProblems(kind === 'machine' ? 'api' : kind, false)
  const send = form.onSubmit((values) => {
    if (values.kind === 'machine') return
    const uris = hasAddresses(values.kind) ? [...values.redirectUris, ...values.postLogoutRedirectUris] : []
    if (hasProblem(uris, redirect)) return form.setFieldError('redirectUris', t.uri.check)
    const applicationType =
      values.kind === 'saml'
        ? ({ case: 'samlConfiguration', value: { metadata: metadataOf(source, values) } } as const)
        : typeOf(values.kind, values)
    return create.run({ projectId, name: values.name.trim(), applicationType })
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
      {hasAddresses(kind) && <AddressFields form={form} kind={kind} problemOf={redirect} />}
      {kind === 'saml' && (
        <>
          <MetadataFields form={form} source={source} onSource={setSource} />
          <Fieldset legend={saml.needs} p="md">
            <ProviderValues />
          </Fieldset>
        </>
      )}
    </FormPage>
  )
}

interface AddressFieldsProps {
  readonly form: UseFormReturnType<Values>
  readonly kind: SignInKind
  problemOf(text: string): string | undefined
}

function AddressFields({ form, kind, problemOf }: AddressFieldsProps) {
  const t = useTexts(applicationTexts)
  return (
    <>
      <UriListField
        label={t.redirectUris}
        description={t.redirectHints[kind]}
        placeholder={DEFAULTS[kind].example}
        value={form.values.redirectUris}
        onChange={(uris) => form.setFieldValue('redirectUris', uris)}
        problemOf={problemOf}
        error={form.errors.redirectUris}
      />
      <UriListField
        label={t.postLogoutRedirectUris}
        description={t.postLogoutHint}
        value={form.values.postLogoutRedirectUris}
        onChange={(uris) => form.setFieldValue('postLogoutRedirectUris', uris)}
        problemOf={problemOf}
      />
    </>
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
