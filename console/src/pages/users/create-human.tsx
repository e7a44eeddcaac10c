/** Creates a person. */
import { Checkbox, PasswordInput, SimpleGrid, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { useTargetOrganization } from '../../access/organization.tsx'
import { FormPage } from '../../parts/form-page.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { userTexts } from './texts/index.ts'

/** The page. */
export function CreateHumanPage() {
  const t = useTexts(userTexts)
  const { required } = useTexts(partsTexts)
  const navigate = useNavigate()
  const organizationId = useTargetOrganization()
  const { form, problems, showError } = useServerForm({
    initialValues: {
      firstName: '',
      lastName: '',
      email: '',
      isVerified: false,
      username: '',
      phone: '',
      password: '',
      changeRequired: true,
    },
    validate: { firstName: isNotEmpty(required), lastName: isNotEmpty(required), email: isNotEmpty(required) },
    paths: {
      firstName: 'human.profile.firstName',
      lastName: 'human.profile.lastName',
      email: 'human.email.email',
      username: 'username',
      phone: 'human.phone.phone',
      password: 'human.password.password',
    },
    refusals: { 'user.username_taken': 'username' },
  })
  const create = useAction(UserService.method.createUser, {
    done: t.createdDone,
    changes: [UserService.method.listUsers],
    onError: showError,
    onDone: ({ id }) => navigate({ to: '/users/$userId', params: { userId: id } }),
  })
  const send = form.onSubmit((values) => {
    const { firstName, lastName, email, isVerified, username, phone, password, changeRequired } = values
    const human = {
      profile: { firstName, lastName },
      email: { email, verification: isVerified ? ({ case: 'isVerified', value: true } as const) : { case: undefined } },
      ...(phone !== '' && { phone: { phone } }),
      ...(password !== '' && {
        passwordType: { case: 'password', value: { password, changeRequired } } as const,
      }),
    }
    return create.run({
      organizationId,
      ...(username !== '' && { username }),
      userType: { case: 'human', value: human },
    })
  })
  return (
    <FormPage
      title={t.createHumanTitle}
      parent={{ to: '/users', label: t.title }}
      problems={problems}
      isRunning={create.isRunning}
      onSubmit={send}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t.firstName} required data-autofocus {...form.getInputProps('firstName')} />
        <TextInput label={t.lastName} required {...form.getInputProps('lastName')} />
      </SimpleGrid>
      <TextInput label={t.email} type="email" required {...form.getInputProps('email')} />
      <Checkbox
        label={t.emailVerified}
        description={t.emailVerifiedHint}
        {...form.getInputProps('isVerified', { type: 'checkbox' })}
      />
      <TextInput
        label={t.userName}
        description={t.userNameHint}
        autoComplete="off"
        {...form.getInputProps('username')}
      />
      <TextInput label={t.phone} type="tel" description={t.contact.phoneHint} {...form.getInputProps('phone')} />
      <PasswordInput
        label={t.password}
        description={t.firstPasswordHint}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <Checkbox
        label={t.changeRequired}
        disabled={form.values.password === ''}
        {...form.getInputProps('changeRequired', { type: 'checkbox' })}
      />
    </FormPage>
  )
}
