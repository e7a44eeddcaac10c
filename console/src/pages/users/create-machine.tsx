/** Creates a machine. */
import { NativeSelect, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { AccessTokenType } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { useTargetOrganization } from '../../access/organization.tsx'
import { FormPage } from '../../parts/form-page.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { userTexts } from './texts/index.ts'

/** The page. */
export function CreateMachinePage() {
  const t = useTexts(userTexts)
  const { required } = useTexts(partsTexts)
  const navigate = useNavigate()
  const organizationId = useTargetOrganization()
  const { form, problems, showError } = useServerForm({
    initialValues: { name: '', description: '', username: '', tokens: 'bearer' },
    validate: { name: isNotEmpty(required) },
    paths: { name: 'machine.name', description: 'machine.description', username: 'username' },
    refusals: { 'user.username_taken': 'username' },
  })
  const create = useAction(UserService.method.createUser, {
    done: t.createdDone,
    changes: [UserService.method.listUsers],
    onError: showError,
    onDone: ({ id }) => navigate({ to: '/users/$userId', params: { userId: id } }),
  })
  const send = form.onSubmit(({ name, description, username, tokens }) =>
    create.run({
      organizationId,
      ...(username !== '' && { username }),
      userType: {
        case: 'machine',
        value: {
          name,
          ...(description !== '' && { description }),
          accessTokenType: tokens === 'jwt' ? AccessTokenType.JWT : AccessTokenType.BEARER,
        },
      },
    }),
  )
  return (
    <FormPage
      title={t.createMachineTitle}
      parent={{ to: '/users', label: t.title }}
      problems={problems}
      isRunning={create.isRunning}
      onSubmit={send}
    >
      <TextInput label={t.machineName} required {...form.getInputProps('name')} />
      <TextInput label={t.machineDescription} {...form.getInputProps('description')} />
      <TextInput label={t.userName} description={t.machineUserNameHint} {...form.getInputProps('username')} />
      <NativeSelect
        label={t.accessTokenType}
        data={[
          { value: 'bearer', label: t.bearer },
          { value: 'jwt', label: t.jwt },
        ]}
        {...form.getInputProps('tokens')}
      />
    </FormPage>
  )
}
