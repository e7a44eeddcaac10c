/** What passwords must contain, with the sentence that users read. */
import { Checkbox, NumberInput, Text } from '@mantine/core'
import type { PasswordComplexityPolicy } from '../../../../contract/gen/signet/policy/v1/policy_pb.ts'
import { usePolicy } from '../../parts/policy/use-policy.ts'
import { Reading } from '../../parts/reading.tsx'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { COMPLEXITY_POLICY } from './policies.ts'
import { ownerKey, PolicyForm } from './policy-form.tsx'
import { signInTexts } from './texts/index.ts'

const RULES = ['hasUppercase', 'hasLowercase', 'hasNumber', 'hasSymbol'] as const

/** The card. */
export function ComplexitySection() {
  const policy = usePolicy(COMPLEXITY_POLICY)
  return <Reading query={policy.query}>{(found) => <ComplexityForm key={ownerKey(policy)} policy={found} />}</Reading>
}

function ComplexityForm({ policy: found }: { readonly policy: PasswordComplexityPolicy }) {
  const t = useTexts(signInTexts)
  const { hasUppercase, hasLowercase, hasNumber, hasSymbol } = found
  const server = useServerForm({
    initialValues: { minLength: Number(found.minLength), hasUppercase, hasLowercase, hasNumber, hasSymbol },
    paths: { minLength: 'minLength' },
  })
  const { form, showError } = server
  const policy = usePolicy(COMPLEXITY_POLICY, { onError: showError })
  const rules = RULES.filter((name) => form.values[name]).map((name) => t.passwords.rulesInSentence[name])
  const length = String(form.values.minLength)
  const summary =
    rules.length === 0 ? t.passwords.summary({ length }) : t.passwords.summaryWith({ length, rules: rules.join(', ') })
  return (
    <PolicyForm anchor="rules" title={t.passwords.complexity} policy={policy} server={server}>
      <NumberInput label={t.passwords.minLength} min={0} allowDecimal={false} {...form.getInputProps('minLength')} />
      {RULES.map((name) => (
        <Checkbox key={name} label={t.passwords.rules[name]} {...form.getInputProps(name, { type: 'checkbox' })} />
      ))}
      <Text size="sm" c="dimmed" role="status">
        {summary}
      </Text>
    </PolicyForm>
  )
}
