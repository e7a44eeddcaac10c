/** The second step: name and address. The addresses that the library of the framework uses are proposed. */
import { NativeSelect, TextInput } from '@mantine/core'
import { isNotEmpty, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import {
  FRAMEWORKS,
  type Framework,
  type FrameworkName,
  proposedUris,
} from '../../../../packages/create/frameworks/index.ts'
import { FormPage } from '../../parts/form-page.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { DEFAULTS } from '../applications/kinds.ts'
import { startedWith, typeOf } from '../applications/new-application.ts'
import { filledIn } from '../applications/oidc-values.ts'
import type { Started } from '../applications/start/get-started.tsx'
import { applicationTexts } from '../applications/texts/index.ts'
import { UriListField } from '../applications/uri-list-field.tsx'
import { hasProblem, useUriProblems } from '../applications/use-uri-problem.ts'
import { firstAppTexts } from './texts/index.ts'
import { RESOURCE_FIELDS, useAddResource } from './use-add-resource.ts'
import { type ProjectChoice, useProjectChoice } from './use-project-choice.ts'

interface NewAppFormProps {
  readonly name: FrameworkName
  onCreated(created: { readonly name: string; readonly started: Started }): void
}

/** The form, once it is known which projects there are. */
export function NewAppForm(props: NewAppFormProps) {
  const t = useTexts(firstAppTexts)
  const choice = useProjectChoice(t.project, t.newProject)
  return choice.options === undefined ? <PageLoader /> : <Form {...props} choice={choice} />
}

interface Values extends Record<string, unknown> {
  readonly name: string
  readonly project: string
  readonly address: string
  readonly redirectUris: string[]
  readonly postLogoutRedirectUris: string[]
}

function Form({ name: frameworkName, onCreated, choice }: NewAppFormProps & { readonly choice: ProjectChoice }) {
  const t = useTexts(firstAppTexts)
  const texts = useTexts(applicationTexts)
  const { required } = useTexts(partsTexts)
  const framework = FRAMEWORKS[frameworkName]
  const { kind } = framework
  const options = choice.options ?? []
  const { form, problems, showError } = useServerForm<Values>({
    initialValues: {
      name: '',
      project: options[0]?.value ?? '',
      address: framework.address,
      ...proposedUris(framework, framework.address),
    },
    validate: {
      name: isNotEmpty(required),
      address: (address) => (kind === 'api' && address.trim() === '' ? required : null),
      redirectUris: (uris) => (kind !== 'api' && filledIn(uris).length === 0 ? texts.uri.needed : null),
    },
    paths: { name: 'name' },
    refusals: {
      'application.name_taken': 'name',
      'resource.uri_taken': 'address',
      'resource.host_not_proven': 'address',
    },
  })
  const { redirect } = useUriProblems(kind, false)
  const create = useAction(ApplicationService.method.createApplication, {
    done: texts.createDone,
    changes: [ApplicationService.method.listApplications],
    onError: showError,
  })
  const addResource = useAddResource()
  const [isRunning, setIsRunning] = useState(false)
  const send = form.onSubmit(async (values) => {
    const uris = kind === 'api' ? [] : [...values.redirectUris, ...values.postLogoutRedirectUris]
    if (hasProblem(uris, redirect)) return form.setFieldError('redirectUris', texts.uri.check)
    setIsRunning(true)
    try {
      const place = await choice.place(values.project)
      // Only the name may be wrong now, and the project is there for the next try.
      form.setFieldValue('project', place.projectId)
      const name = values.name.trim()
      const audience = kind === 'api' ? values.address.trim() : undefined
      // First: an API is not there without what its tokens are for.
      if (audience !== undefined) await addResource(place.projectId, audience)
      const applicationType = typeOf(kind, { ...values, authMethod: 'basic' })
      const answer = await create.run({ projectId: place.projectId, name, applicationType })
      if (answer !== undefined) onCreated({ name, started: { ...startedWith(answer, place, kind, values), audience } })
    } catch (error) {
      showError(error, RESOURCE_FIELDS)
    } finally {
      setIsRunning(false)
    }
  })
  return (
    <FormPage
      title={t.titleOf({ framework: framework.label })}
      subtitle={t.step({ number: 2 })}
      button={t.create}
      parent={{ to: '/protect-an-app', label: t.other }}
      problems={problems}
      isRunning={isRunning}
      onSubmit={send}
    >
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        required
        autoFocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      {kind === 'api' && (
        <TextInput
          label={t.apiAddress}
          description={t.apiAddressHint}
          type="url"
          required
          autoComplete="off"
          {...form.getInputProps('address')}
        />
      )}
      {kind !== 'api' && <AddressFields framework={framework} kind={kind} form={form} problemOf={redirect} />}
      <NativeSelect
        label={texts.project}
        description={t.projectHint}
        data={[...options]}
        {...form.getInputProps('project')}
      />
    </FormPage>
  )
}

interface AddressFieldsProps {
  readonly framework: Framework
  readonly kind: Exclude<Framework['kind'], 'api'>
  readonly form: UseFormReturnType<Values>
  problemOf(text: string): string | undefined
}

/** Where the app is, and where it is returned to. */
function AddressFields({ framework, kind, form, problemOf }: AddressFieldsProps) {
  const t = useTexts(firstAppTexts)
  const texts = useTexts(applicationTexts)
  /** What is proposed follows the address, until somebody writes something else. */
  const moveTo = (address: string) => {
    const before = proposedUris(framework, form.values.address)
    const after = proposedUris(framework, address)
    const follow = (name: 'redirectUris' | 'postLogoutRedirectUris') =>
      form.values[name].join() === before[name].join() && form.setFieldValue(name, after[name])
    follow('redirectUris')
    follow('postLogoutRedirectUris')
    form.setFieldValue('address', address)
  }
  return (
    <>
      {framework.address !== '' && (
        <TextInput
          label={t.address}
          description={t.addressHint}
          type="url"
          autoComplete="off"
          value={form.values.address}
          onChange={({ currentTarget }) => moveTo(currentTarget.value)}
        />
      )}
      <UriListField
        label={texts.redirectUris}
        description={kind === 'native' ? texts.redirectHints.native : t.redirectHint}
        placeholder={DEFAULTS[kind].example}
        value={form.values.redirectUris}
        onChange={(uris) => form.setFieldValue('redirectUris', uris)}
        problemOf={problemOf}
        error={form.errors.redirectUris}
      />
      <UriListField
        label={texts.postLogoutRedirectUris}
        description={texts.postLogoutHint}
        value={form.values.postLogoutRedirectUris}
        onChange={(uris) => form.setFieldValue('postLogoutRedirectUris', uris)}
        problemOf={problemOf}
      />
    </>
  )
}
