/** After how long passwords must be changed. */
import { NumberInput } from '@mantine/core'
import type { PasswordAgePolicy } from '../../../../contract/gen/signet/policy/v1/policy_pb.ts'
import { usePolicy } from '../../parts/policy/use-policy.ts'
import { Reading } from '../../parts/reading.tsx'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { AGE_POLICY } from './policies.ts'
import { ownerKey, PolicyForm } from './policy-form.tsx'
import { signInTexts } from './texts/index.ts'

/** The card. */
export function AgeSection() {
  const policy = usePolicy(AGE_POLICY)
  return <Reading query={policy.query}>{(found) => <AgeForm key={ownerKey(policy)} policy={found} />}</Reading>
}

function AgeForm({ policy: found }: { readonly policy: PasswordAgePolicy }) {
  const t = useTexts(signInTexts)
  const server = useServerForm({
    initialValues: { maxAgeDays: Number(found.maxAgeDays), expireWarnDays: Number(found.expireWarnDays) },
    paths: { maxAgeDays: 'maxAgeDays', expireWarnDays: 'expireWarnDays' },
  })
  const policy = usePolicy(AGE_POLICY, { onError: server.showError })
  return (
    <PolicyForm
      anchor="expiry"
      title={t.passwords.age}
      description={t.passwords.ageHint}
      policy={policy}
      server={server}
    >
      <NumberInput
        label={t.passwords.maxAge}
        description={t.passwords.zeroNever}
        min={0}
        allowDecimal={false}
        {...server.form.getInputProps('maxAgeDays')}
      />
      <NumberInput
        label={t.passwords.warn}
        description={t.passwords.zeroNoWarning}
        min={0}
        allowDecimal={false}
        {...server.form.getInputProps('expireWarnDays')}
      />
    </PolicyForm>
  )
}
