/** The form of the login policy, and the preview that follows it. */
import { Checkbox, Fieldset, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LoginPolicy } from '../../../../contract/gen/signet/policy/v1/login_pb.ts'
import { DurationField } from '../../parts/duration-field.tsx'
import { useFailureSentence } from '../../parts/failure-notice.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { PolicyOrigin, ResetButton } from '../../parts/policy/policy-origin.tsx'
import { usePolicy } from '../../parts/policy/use-policy.ts'
import { Section } from '../../parts/section.tsx'
import { useAnchor } from '../../parts/use-anchor.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { type ColorValues, lookOf } from '../branding/look.ts'
import { SignInPreview } from '../branding/sign-in-preview.tsx'
import { LoginProviders, useOfferedProviders } from './login-providers.tsx'
import {
  factorsMessageOf,
  LIFETIMES,
  type LoginValues,
  loginMessageOf,
  loginValuesOf,
  SECOND_FACTORS,
  type SecondFactor,
} from './login-values.ts'
import { LOGIN_POLICY } from './policies.ts'
import { signInTexts } from './texts/index.ts'
import { useFactorChanges } from './use-factor-changes.ts'

type Values = LoginValues & Record<string, unknown>

/** The form. */
export function LoginForm({ policy: found }: { readonly policy: LoginPolicy }) {
  const t = useTexts(signInTexts)
  const sentence = useFailureSentence()
  const queries = useQueryClient()
  const [before, setBefore] = useState(() => loginValuesOf(found))
  const [isSaving, setSaving] = useState(false)
  const { form, problems, showError } = useServerForm<Values>({
    initialValues: before as Values,
    paths: { defaultRedirectUri: 'defaultRedirectUri', ...Object.fromEntries(LIFETIMES.map((name) => [name, name])) },
    refusals: { 'settings.redirect_uri_invalid': 'defaultRedirectUri' },
  })
  const policy = usePolicy(LOGIN_POLICY, { onError: showError })
  const factors = useFactorChanges(policy.isInstance)
  const save = async (after: LoginValues): Promise<void> => {
    const message = loginMessageOf(after)
    if (policy.isInherited) {
      await policy.save({ ...message, ...factorsMessageOf(after) } as typeof message)
      return
    }
    await factors.addMissing(before, after)
    const isSaved = (await policy.save(message)) !== undefined
    if (!isSaved) return
    await factors.removeOthers(before, after)
    setBefore(after)
    form.resetDirty()
  }
  const send = form.onSubmit(async (values) => {
    setSaving(true)
    try {
      await save(values)
    } catch (error) {
      notifications.show({ message: sentence(error), color: 'red', autoClose: 10_000 })
    } finally {
      setSaving(false)
      void queries.invalidateQueries()
    }
  })
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <Stack>
        <FormSection
          title={t.login.title}
          badge={<PolicyOrigin isInstance={policy.isInstance} isInherited={policy.isInherited} />}
          problems={problems}
          mayWrite={policy.mayWrite}
          isRunning={isSaving}
          isDirty={form.isDirty()}
          onSubmit={send}
          actions={
            <ResetButton
              name={t.login.title}
              isShown={policy.mayReset}
              isRunning={policy.isRunning}
              onReset={policy.reset}
            />
          }
        >
          <LoginFields form={form} />
        </FormSection>
        <LoginProviders
          isInstance={policy.isInstance}
          mayWrite={policy.mayWrite}
          isShown={form.values.allowExternalIdp}
        />
      </Stack>
      <Preview values={form.values} />
    </SimpleGrid>
  )
}

function LoginFields({ form }: { readonly form: ReturnType<typeof useServerForm<Values>>['form'] }) {
  const t = useTexts(signInTexts)
  const check = (name: keyof LoginValues & string) => form.getInputProps(name, { type: 'checkbox' })
  return (
    <Stack>
      <Fieldset legend={t.login.methods} p="sm" {...useAnchor<HTMLFieldSetElement>('methods')}>
        <Stack gap="sm">
          <Checkbox label={t.login.password} {...check('allowUsernamePassword')} />
          <Checkbox label={t.login.passkeys} {...check('hasPasskeys')} />
          <Checkbox label={t.login.providers} {...check('allowExternalIdp')} />
          <Checkbox label={t.login.register} description={t.login.registerHint} {...check('allowRegister')} />
          <Checkbox label={t.login.hideReset} {...check('hidePasswordReset')} />
          <Checkbox
            label={t.login.disableReset}
            description={t.login.disableResetHint}
            {...check('disablePasswordReset')}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t.login.factors} p="sm" {...useAnchor<HTMLFieldSetElement>('factors')}>
        <Stack gap="md">
          <Checkbox.Group label={t.login.allowedFactors} {...form.getInputProps('secondFactors')}>
            <Stack gap="xs" mt="xs">
              {(Object.keys(SECOND_FACTORS) as SecondFactor[]).map((name) => (
                <Checkbox key={name} value={name} label={t.login.factorNames[name]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Checkbox
            label={t.login.passkeyIsEnough}
            description={t.login.passkeyIsEnoughHint}
            {...check('passkeyIsEnough')}
          />
          <Radio.Group label={t.login.required} {...form.getInputProps('mfa')}>
            <Stack gap="xs" mt="xs">
              {(['none', 'local', 'all'] as const).map((value) => (
                <Radio key={value} value={value} label={t.login.requiredFrom[value]} />
              ))}
            </Stack>
          </Radio.Group>
        </Stack>
      </Fieldset>
      <Fieldset legend={t.login.lifetimes} p="sm" {...useAnchor<HTMLFieldSetElement>('lifetimes')}>
        <Stack gap="sm">
          {LIFETIMES.map((name) => (
            <DurationField
              key={name}
              label={t.login.lifetimeNames[name]}
              {...(name !== 'sessionLifetime' && { description: t.login.zero })}
              value={form.values[name]}
              onChange={(seconds) => form.setFieldValue(name, seconds as never)}
              error={form.errors[name]}
            />
          ))}
        </Stack>
      </Fieldset>
      <TextInput
        label={t.login.redirect}
        description={t.login.redirectHint}
        type="url"
        {...form.getInputProps('defaultRedirectUri')}
      />
    </Stack>
  )
}

const NO_COLORS: ColorValues = {
  primaryColor: '',
  primaryColorDark: '',
  backgroundColor: '',
  backgroundColorDark: '',
  fontColor: '',
  fontColorDark: '',
  warnColor: '',
  warnColorDark: '',
}

function Preview({ values }: { readonly values: LoginValues }) {
  const t = useTexts(signInTexts)
  const offered = useOfferedProviders()
  return (
    <Section title={t.preview} description={t.previewHint}>
      <SignInPreview
        signIn={{
          hasPassword: values.allowUsernamePassword,
          hasPasskeys: values.hasPasskeys,
          hasRegistration: values.allowRegister,
          hasPasswordReset: !values.hidePasswordReset && !values.disablePasswordReset,
          providers: values.allowExternalIdp ? offered : [],
        }}
        look={lookOf(NO_COLORS, 'light')}
      />
    </Section>
  )
}
