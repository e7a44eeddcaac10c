/** The name, user name and language of a person. */

import { Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import type { HumanUser, User } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { LANGUAGES, UNDETERMINED } from '../../../../src/kernel/languages.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormProblems } from '../../parts/form-problems.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { USER_READS } from './changed-methods.ts'
import { userTexts } from './texts/index.ts'

interface ProfileTabProps {
  readonly user: User
  readonly human: HumanUser
  readonly mayWrite: boolean
}

/** The tab. */
export function ProfileTab({ user, human: { profile }, mayWrite }: ProfileTabProps) {
  const t = useTexts(userTexts)
  const { save: saveLabel, saved, required } = useTexts(partsTexts)
  const own = profile?.preferredLanguage === UNDETERMINED ? '' : profile?.preferredLanguage
  const { form, problems, showError } = useServerForm({
    initialValues: {
      firstName: profile?.givenName ?? '',
      lastName: profile?.familyName ?? '',
      displayName: profile?.displayName ?? '',
      nickName: profile?.nickName ?? '',
      preferredLanguage: own ?? '',
      username: user.username,
    },
    validate: {
      firstName: isNotEmpty(required),
      lastName: isNotEmpty(required),
      username: isNotEmpty(required),
    },
    paths: {
      firstName: 'human.profile.firstName',
      lastName: 'human.profile.lastName',
      displayName: 'human.profile.displayName',
      nickName: 'human.profile.nickName',
      preferredLanguage: 'human.profile.preferredLanguage',
      username: 'username',
    },
    refusals: { 'user.username_taken': 'username' },
  })
  const save = useAction(UserService.method.updateUser, {
    done: saved,
    changes: USER_READS,
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const send = form.onSubmit(({ username, ...changed }) =>
    save.run({
      userId: user.userId,
      ...(username !== user.username && { username }),
      userType: { case: 'human', value: { profile: changed } },
    }),
  )
  const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))
  const other = own && !Object.hasOwn(LANGUAGES, own) ? [{ value: own, label: own }] : []
  return (
    <Section title={t.profile.title}>
      <form onSubmit={send} noValidate>
        <Fieldset variant="unstyled" disabled={!mayWrite}>
          <Stack>
            <FormProblems problems={problems} />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput label={t.firstName} required {...form.getInputProps('firstName')} />
              <TextInput label={t.lastName} required {...form.getInputProps('lastName')} />
            </SimpleGrid>
            <TextInput label={t.displayName} description={t.displayNameHint} {...form.getInputProps('displayName')} />
            <TextInput label={t.nickName} {...form.getInputProps('nickName')} />
            <TextInput label={t.userName} required autoComplete="off" {...form.getInputProps('username')} />
            <NativeSelect
              label={t.language}
              data={[{ value: '', label: t.defaultLanguage }, ...languages, ...other]}
              {...form.getInputProps('preferredLanguage')}
            />
            <CopyField label={t.id} value={user.userId} />
            {mayWrite && (
              <Group justify="flex-end">
                <Button type="submit" loading={save.isRunning} disabled={!form.isDirty()}>
                  {saveLabel}
                </Button>
              </Group>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Section>
  )
}
